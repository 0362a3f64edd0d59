import { dress } from './assemble.ts'
import type { CallSketch } from './calls.ts'
import type { GeminiParts } from './gemini-parts.ts'
import type { RoundSketch } from './scenario.ts'
import { writeText } from './texts.ts'
import type { JsonObject } from './types.ts'

/** Beyond what a double holds exactly, as a number and in the way protobuf JSON writes an int64. */
const BIG = { total: 9_007_199_254_740_992, cursor: '12345678901234567890' }

/** Writes rounds of calls: one content with the calls, and one with all responses there are. */
export function createGeminiRounds(
  parts: GeminiParts,
  { reusesIds, isThird }: { readonly reusesIds: boolean; readonly isThird: boolean },
): (round: RoundSketch, answered: number) => JsonObject[] {
  let count = 0
  let made = 0

  const response = (call: CallSketch, id: JsonObject, isLegacy: boolean): JsonObject => {
    const media = call.shape === 'image' && !isLegacy ? { parts: [parts.png()] } : {}
    const named = { ...id, name: call.tool, response: responseOf(call), ...media }
    return { [parts.name('functionResponse')]: named, ...call.extra }
  }

  return (round, answered) => {
    const { style, calls } = round
    if (reusesIds) count = 0
    const ids = calls.map((_, index): JsonObject => {
      const hasId = round.ids === 'all' || (round.ids === 'some' && index % 2 === 0)
      return hasId ? { id: `call_${count++}` } : {}
    })
    const callParts = calls.map((call, index): JsonObject => {
      const named = { ...ids[index], name: call.tool, ...argumentsOf(call) }
      const part = { [parts.name('functionCall')]: named, ...call.extra }
      // Parallel calls: the first one carries the signature for all of them.
      return index === 0 ? parts.signed(part, style) : part
    })
    const lead = round.lead === null ? [] : [{ text: writeText(round.lead) }]
    const asking = dress(
      { role: 'model', parts: [...parts.thoughts(style), ...lead, ...callParts] },
      round,
    )
    if (answered === 0) return [asking]
    // Before Gemini 3, media and remarks stood beside the responses.
    const isLegacy = round.variant && !isThird
    const byName = round.variant && round.ids === 'all'
    // Gemini CLI: ids of its own on the responses to calls that came without.
    const answerIds =
      round.variant && round.ids === 'none'
        ? calls.map(({ tool }) => ({ id: `${tool}-${made++}` }))
        : ids
    const responses = calls
      .slice(0, answered)
      .map((call, index) => response(call, byName ? {} : (answerIds[index] ?? {}), isLegacy))
    // Only ids can tell responses that come back in another order.
    if (round.reversed && round.ids === 'all' && !byName) responses.reverse()
    const beside =
      isLegacy && answered === calls.length ? [parts.png(), { text: 'Please go on.' }] : []
    return [asking, { role: style.named ? 'function' : 'user', parts: [...responses, ...beside] }]
  }
}

/** `args` may be left out where a function takes none. */
function argumentsOf(call: CallSketch): JsonObject {
  return call.tool === 'ping' ? {} : { args: call.arguments }
}

function responseOf({ shape, output, failed }: CallSketch): JsonObject {
  if (failed) return { error: output }
  switch (shape) {
    case 'nothing':
      return {}
    case 'parts':
      return { rows: output.split('\n').slice(0, 40), ...BIG }
    default:
      return { output }
  }
}
