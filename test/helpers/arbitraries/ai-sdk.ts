import { createAiSdkParts } from './ai-sdk-parts.ts'
import { createAiSdkRounds } from './ai-sdk-rounds.ts'
import { assemble, dress, type Renderer, toWire } from './assemble.ts'
import type { SaySketch, Scenario, Style } from './scenario.ts'
import { writeText } from './texts.ts'
import type { ConversationPayload, JsonObject } from './types.ts'

/** The scenario as what `generateText` takes in the AI SDK, version 5 and later. */
export function writeAiSdk(scenario: Scenario): ConversationPayload {
  const parts = createAiSdkParts()
  const renderer: Renderer = {
    opening: ({ system, says }) => {
      if (system === 'none' || system === 'parts') return []
      const first = instructions(says[0])
      return system === 'two' ? [first, instructions(says[1])] : [first]
    },
    aside: (say) => [instructions(say)],
    request: (say) =>
      dress({ role: 'user', content: parts.request(say), ...cacheOf(say.style) }, say),
    answer: (say) =>
      dress({ role: 'assistant', content: parts.answer(say), ...cacheOf(say.style) }, say),
    round: createAiSdkRounds(parts),
  }
  const names = new Set(
    scenario.turns
      .flatMap(({ rounds }) => rounds.flatMap(({ calls }) => calls))
      .map(({ tool }) => tool),
  )
  // As the SDK hands them to a model: what `generateText` takes has functions in it, which no JSON holds.
  const tools = [...names].map((name) => ({
    type: 'function',
    name,
    inputSchema: { type: 'object', properties: {} },
  }))
  const { opening } = scenario
  return toWire({
    model: 'anthropic/claude-sonnet-4-5',
    ...(opening.system === 'parts' ? { system: writeText(opening.says[0].text) } : {}),
    messages: assemble(scenario, renderer),
    ...(scenario.declaresTools && tools.length > 0 ? { tools } : {}),
    ...scenario.envelope,
  })
}

function instructions(say: SaySketch): JsonObject {
  return dress({ role: 'system', content: writeText(say.text), ...cacheOf(say.style) }, say)
}

function cacheOf({ cached }: Style): JsonObject {
  return cached ? { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } } : {}
}
