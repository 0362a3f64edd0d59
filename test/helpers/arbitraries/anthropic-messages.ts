import { type Blocks, createBlocks } from './anthropic-blocks.ts'
import { assemble, dress, type Renderer, toWire } from './assemble.ts'
import type { RoundSketch, Scenario } from './scenario.ts'
import { writeText } from './texts.ts'
import type { ConversationPayload, JsonObject } from './types.ts'

/** The scenario as an Anthropic Messages request. */
export function writeAnthropicMessages(scenario: Scenario): ConversationPayload {
  const blocks = createBlocks()
  const system = systemPrompt(scenario, blocks)
  const names = new Set(
    scenario.turns
      .flatMap(({ rounds }) => rounds.flatMap(({ calls }) => calls))
      .map(({ tool }) => tool),
  )
  const tools = [...names].map((name) => ({ name, input_schema: { type: 'object' } }))
  const messages = assemble(scenario, createRenderer(blocks))
  return toWire({
    model: 'claude-sonnet-4-5',
    max_tokens: 1024,
    ...blocks.cached({}, scenario.opening.says[1].style),
    ...(system === null ? {} : { system }),
    messages,
    ...(scenario.declaresTools && tools.length > 0 ? { tools } : {}),
    ...scenario.envelope,
  })
}

function systemPrompt({ opening }: Scenario, blocks: Blocks): unknown {
  const [first, second] = opening.says
  switch (opening.system) {
    case 'none':
      return null
    case 'text':
      return writeText(first.text)
    case 'parts':
      return [blocks.cached(blocks.text(first), first.style)]
    case 'two':
      return [blocks.text(first), blocks.cached(blocks.text(second), second.style)]
  }
}

function createRenderer(blocks: Blocks): Renderer {
  let count = 0
  return {
    opening: () => [],
    aside: () => [],
    request: (say) => dress({ role: 'user', content: blocks.request(say) }, say),
    answer: (say) => dress({ role: 'assistant', content: blocks.answer(say) }, say),
    round: (round, answered) => {
      const ids = round.calls.map(() => `toolu_${String(count++).padStart(4, '0')}`)
      const asking = dress({ role: 'assistant', content: callBlocks(round, ids, blocks) }, round)
      if (answered === 0) return [asking]
      return [asking, { role: 'user', content: resultBlocks(round, ids, answered, blocks) }]
    },
  }
}

function callBlocks(round: RoundSketch, ids: readonly string[], blocks: Blocks): JsonObject[] {
  const thinking = blocks.thinking(round)
  const uses = round.calls.map((call, index) => ({
    type: 'tool_use',
    id: ids[index],
    name: call.tool,
    input: call.arguments,
    ...call.extra,
  }))
  // Interleaved thinking: the model thinks again between two calls of one message.
  const interleaved = round.variant
    ? uses.flatMap((use, index) => (index === 0 ? [use] : [...blocks.thinking(round), use]))
    : uses
  const lead = round.lead === null ? [] : [{ type: 'text', text: writeText(round.lead) }]
  return [...thinking, ...lead, ...interleaved]
}

function resultBlocks(
  round: RoundSketch,
  ids: readonly string[],
  answered: number,
  blocks: Blocks,
): JsonObject[] {
  const results = round.calls.slice(0, answered).map((call, index) => ({
    type: 'tool_result',
    tool_use_id: ids[index],
    ...blocks.result(call),
    ...call.extra,
  }))
  const ordered: JsonObject[] = round.reversed ? results.reverse() : results
  const last = ordered.at(-1)
  if (last !== undefined) ordered[ordered.length - 1] = blocks.cached(last, round.style)
  // A remark of the user comes after the results, and only once all of them are there.
  const remarks = round.variant && answered === round.calls.length
  return remarks ? [...ordered, { type: 'text', text: 'Please go on.' }] : ordered
}
