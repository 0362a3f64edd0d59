import { assemble, dress, type Renderer, toWire } from './assemble.ts'
import type { CallSketch } from './calls.ts'
import { TINY_PNG } from './media.ts'
import type { RoundSketch, SaySketch, Scenario } from './scenario.ts'
import { writeText } from './texts.ts'
import type { ConversationPayload, JsonObject } from './types.ts'

/** The scenario as an OpenAI chat completions request. */
export function writeOpenaiChat(scenario: Scenario): ConversationPayload {
  const names = new Set(
    scenario.turns
      .flatMap(({ rounds }) => rounds.flatMap(({ calls }) => calls))
      .map(({ tool }) => tool),
  )
  const tools = [...names].map((name) => ({
    type: 'function',
    function: { name, parameters: { type: 'object', properties: {} } },
  }))
  return toWire({
    model: 'gpt-4o',
    messages: assemble(scenario, createRenderer(scenario)),
    ...(scenario.declaresTools && tools.length > 0 ? { tools } : {}),
    ...scenario.envelope,
  })
}

function createRenderer({ reusesIds }: Scenario): Renderer {
  let count = 0
  return {
    opening: ({ system, says }) => {
      if (system === 'none') return []
      const content =
        system === 'parts' ? [textPart(says[0])] : `You are careful. ${writeText(says[0].text)}`
      const first = dress({ role: 'system', content }, says[0])
      const second = { role: 'developer', content: writeText(says[1].text) }
      return system === 'two' ? [first, dress(second, says[1])] : [first]
    },
    aside: (say) => [dress({ role: 'system', content: writeText(say.text) }, say)],
    request: (say) =>
      dress({ role: 'user', ...nameOf(say, 'ada'), content: userContent(say) }, say),
    answer: (say) => dress({ role: 'assistant', ...nameOf(say, 'helper'), ...spoken(say) }, say),
    round: (round, answered) => {
      if (round.variant && round.calls.length === 1) return writeFunctionCall(round, answered)
      if (reusesIds) count = 0
      const calls = round.calls.map((call) => ({ call, id: `call_${count++}` }))
      const results = calls.slice(0, answered).map(({ call, id }) => ({
        role: 'tool',
        tool_call_id: id,
        content: resultContent(call),
        ...call.extra,
      }))
      const asking = {
        role: 'assistant',
        ...leadContent(round),
        tool_calls: calls.map(({ call, id }) => ({
          id,
          type: 'function',
          function: { ...functionOf(call), ...round.style.partExtra },
          ...call.extra,
        })),
      }
      return [dress(asking, round), ...(round.reversed ? results.reverse() : results)]
    },
  }
}

function writeFunctionCall(round: RoundSketch, answered: number): JsonObject[] {
  const [call] = round.calls
  if (call === undefined) return []
  const asking = { role: 'assistant', content: null, function_call: functionOf(call) }
  const result = { role: 'function', name: call.tool, content: call.output, ...call.extra }
  return answered > 0 ? [dress(asking, round), result] : [dress(asking, round)]
}

function functionOf(call: CallSketch) {
  return { name: call.tool, arguments: JSON.stringify(call.arguments) }
}

function nameOf({ style }: SaySketch, name: string) {
  return style.named ? { name } : {}
}

function textPart({ text, style }: SaySketch) {
  return { type: 'text', text: writeText(text), ...style.partExtra }
}

function userContent(say: SaySketch): unknown {
  const part = textPart(say)
  const image = { url: `data:image/png;base64,${TINY_PNG}`, detail: 'low' }
  switch (say.style.shape) {
    case 'string':
      return writeText(say.text)
    case 'parts':
      return [part]
    case 'many-parts':
      return [{ type: 'text', text: 'Context:' }, part]
    case 'image':
      return [part, { type: 'image_url', image_url: image, ...say.style.partExtra }]
    case 'unknown-part':
      return [{ type: 'x_widget', state: { open: true }, ...say.style.partExtra }, part]
    case 'special':
      return [
        part,
        { type: 'file', file: { filename: 'a.txt', file_data: 'data:text/plain;base64,YQ==' } },
      ]
  }
}

/** The assistant may say nothing in `content` where a refusal or audio speaks instead. */
function spoken(say: SaySketch): JsonObject {
  const part = textPart(say)
  switch (say.style.shape) {
    case 'parts':
      return { content: [part] }
    case 'many-parts':
      return { content: [{ type: 'text', text: 'First:' }, part] }
    case 'unknown-part':
      return { content: [part, { type: 'x_note', ...say.style.partExtra }] }
    case 'special':
      return say.style.named
        ? { content: null, audio: { id: 'audio_1' } }
        : { content: null, refusal: writeText(say.text) }
    default:
      return { content: writeText(say.text) }
  }
}

function leadContent({ lead, style }: RoundSketch): JsonObject {
  if (lead !== null) {
    const text = writeText(lead)
    return {
      content: style.shape === 'parts' ? [{ type: 'text', text, ...style.partExtra }] : text,
    }
  }
  if (style.shape === 'parts') return {}
  return { content: style.shape === 'special' ? '' : null }
}

function resultContent(call: CallSketch): unknown {
  if (call.shape === 'nothing') return ''
  return call.shape === 'parts' ? [{ type: 'text', text: call.output, ...call.extra }] : call.output
}
