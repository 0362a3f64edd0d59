import { assemble, dress, type Renderer, toWire } from './assemble.ts'
import type { CallSketch } from './calls.ts'
import { TINY_PNG } from './media.ts'
import type { RoundSketch, SaySketch, Scenario } from './scenario.ts'
import { writeText } from './texts.ts'
import type { ConversationPayload, JsonObject } from './types.ts'

/** The scenario as a list of NeuroLink chat messages. */
export function writeNeurolink(scenario: Scenario): ConversationPayload {
  return toWire({
    messages: assemble(scenario, createRenderer(scenario)),
    ...scenario.envelope,
  })
}

type Message = (role: string, content: unknown, members?: JsonObject) => JsonObject

function createRenderer({ reusesIds }: Scenario): Renderer {
  let messageCount = 0
  let callCount = 0
  const message: Message = (role, content, members = {}) => ({
    id: `m-${String(messageCount++).padStart(4, '0')}`,
    role,
    content,
    ...members,
  })
  return {
    opening: (opening) => writeOpening(opening, message),
    aside: (say) => [dress(message('system', writeText(say.text)), say)],
    request: (say) => dress(message('user', userContent(say), timeOf(say)), say),
    answer: (say) =>
      dress(message('assistant', writeText(say.text), { ...timeOf(say), ...eventsOf(say) }), say),
    round: (round, answered) => {
      if (reusesIds) callCount = 0
      const lead =
        round.lead === null ? [] : [dress(message('assistant', writeText(round.lead)), round)]
      const pairs = round.calls.map((call, index) =>
        writePair(
          call,
          round,
          idsOf(round, index, `call-${callCount++}`),
          index < answered,
          message,
        ),
      )
      return [...lead, ...orderOf(round, pairs)]
    },
  }
}

function writeOpening(
  { system, summary, skill, marker, says }: Scenario['opening'],
  message: Message,
) {
  const [first, second, third] = says
  const messages: JsonObject[] = []
  if (system !== 'none') messages.push(dress(message('system', writeText(first.text)), first))
  if (system === 'two') messages.push(message('system', writeText(second.text)))
  if (summary) {
    const metadata = { isSummary: true, summarizesFrom: 'm-a', summarizesTo: 'm-z' }
    const text = `[Previous conversation summary]:\n\n${writeText(second.text)}`
    messages.push(dress(message('user', text, { metadata }), second))
  }
  if (skill) {
    const metadata = { isSkill: true, ...third.style.partExtra }
    messages.push(message('user', writeText(third.text), { metadata }))
  }
  if (marker) {
    const text = '[Earlier conversation history was truncated to fit within context limits]'
    messages.push(message('user', text, { isTruncationMarker: true, truncationId: 't-1' }))
  }
  return messages
}

interface Pair {
  readonly call: JsonObject
  readonly result: JsonObject | null
}

interface PairIds {
  readonly call: JsonObject
  readonly result: JsonObject
}

function idsOf(round: RoundSketch, index: number, toolCallId: string): PairIds {
  if (round.ids === 'none') return { call: {}, result: {} }
  // One member without an id is enough to make its batch pair by position.
  const call = round.ids === 'some' && index === 0 ? {} : { toolCallId }
  return { call, result: { toolCallId } }
}

function writePair(
  call: CallSketch,
  round: RoundSketch,
  ids: PairIds,
  isAnswered: boolean,
  message: Message,
): Pair {
  const asking = message('tool_call', callContent(round, call), {
    tool: call.tool,
    args: call.arguments,
    ...ids.call,
    metadata: { stepIndex: 1, ...round.style.partExtra },
    ...call.extra,
  })
  if (!isAnswered) return { call: asking, result: null }
  const isCleared = call.shape === 'image'
  const output = call.shape === 'nothing' ? 'ok' : call.output
  const answering = message('tool_result', isCleared ? '[Tool result cleared]' : output, {
    tool: call.tool,
    ...ids.result,
    result: resultOf(call),
    ...(isCleared ? { metadata: { truncated: true } } : {}),
    ...call.extra,
  })
  return { call: asking, result: answering }
}

/** The arguments speak for a call, so its content is often empty, and null in histories from elsewhere. */
function callContent({ style }: RoundSketch, { tool }: CallSketch): string | null {
  if (style.shape === 'parts') return null
  return style.shape === 'string' ? '' : `Calling ${tool}`
}

function resultOf({ tool, output, failed }: CallSketch): JsonObject {
  return failed
    ? { success: false, expression: tool, result: null, type: 'error', error: output }
    : { success: true, expression: tool, result: output.slice(0, 40), type: 'string' }
}

/** Call by call, or all calls and then all results; by id, results may come in any order. */
function orderOf(round: RoundSketch, pairs: readonly Pair[]): JsonObject[] {
  const keep = (result: JsonObject | null) => (result === null ? [] : [result])
  if (round.variant) return pairs.flatMap(({ call, result }) => [call, ...keep(result)])
  const results = pairs.flatMap(({ result }) => keep(result))
  const inOrder = round.reversed && round.ids === 'all' ? results.reverse() : results
  return [...pairs.map(({ call }) => call), ...inOrder]
}

function userContent(say: SaySketch): unknown {
  if (say.style.shape !== 'image') return writeText(say.text)
  const image = { type: 'image', image: TINY_PNG, mimeType: 'image/png', ...say.style.partExtra }
  return [{ type: 'text', text: writeText(say.text) }, image]
}

function timeOf({ style }: SaySketch): JsonObject {
  return style.named ? { timestamp: '2026-03-01T10:00:00.000Z' } : {}
}

function eventsOf({ style }: SaySketch): JsonObject {
  return style.shape === 'special' ? { events: [{ type: 'response:end', seq: 1 }] } : {}
}
