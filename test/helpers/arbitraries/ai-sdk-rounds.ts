import type { AiSdkParts } from './ai-sdk-parts.ts'
import { dress } from './assemble.ts'
import type { CallSketch } from './calls.ts'
import { TINY_PNG } from './media.ts'
import type { RoundSketch } from './scenario.ts'
import { writeText } from './texts.ts'
import type { JsonObject } from './types.ts'

/** Beyond what a double holds exactly, and what JSON writes with an exponent. */
const BIG = { total: 9_007_199_254_740_992, huge: 1e21 }

/** Writes rounds of calls, and in some of them asks for approval of the first. */
export function createAiSdkRounds(
  parts: AiSdkParts,
): (round: RoundSketch, answered: number) => JsonObject[] {
  let count = 0

  return (round, answered) => {
    const { style, calls } = round
    const ids = calls.map(() => `call_${String(count++).padStart(4, '0')}`)
    const approvalId = `approval_${count}`
    const asked: JsonObject[] = style.named
      ? [{ type: 'tool-approval-request', approvalId, toolCallId: ids[0] }]
      : []
    const lead = round.lead === null ? [] : [{ type: 'text', text: writeText(round.lead) }]
    const called = calls.map((call, index) => ({
      type: 'tool-call',
      toolCallId: ids[index],
      toolName: call.tool,
      input: call.arguments,
      // Gemini seals the first of parallel calls.
      ...(index === 0 && style.thinking === 'redacted'
        ? { providerOptions: { google: { thoughtSignature: parts.seal() } } }
        : {}),
      ...call.extra,
    }))
    const asking = dress(
      { role: 'assistant', content: [...parts.reasoning(round), ...lead, ...called, ...asked] },
      round,
    )
    const approved = calls[0]?.failed !== true
    const approval: JsonObject[] = asked.map(() => ({
      type: 'tool-approval-response',
      approvalId,
      approved,
      ...(approved ? {} : { reason: 'Not now.' }),
    }))
    const results = calls.slice(0, answered).map((call, index) => ({
      type: 'tool-result',
      toolCallId: ids[index],
      toolName: call.tool,
      output:
        index === 0 && style.named && call.failed
          ? { type: 'execution-denied', reason: 'Not now.' }
          : outputOf(call, (count + index) % 3),
      ...call.extra,
    }))
    if (round.reversed) results.reverse()
    // While calls are pending, an approval may wait for its answer, or the answer for the tool.
    const replies = answered > 0 || round.variant ? [...approval, ...results] : results
    if (replies.length === 0) return [asking]
    if (!round.variant) return [asking, { role: 'tool', content: replies }]
    return [asking, ...replies.map((reply) => ({ role: 'tool', content: [reply] }))]
  }
}

const MEDIA = [
  { type: 'media', data: TINY_PNG, mediaType: 'image/png' },
  { type: 'image-data', data: TINY_PNG, mediaType: 'image/png' },
  { type: 'file-data', data: TINY_PNG, mediaType: 'image/png', filename: 'shot.png' },
] as const

function outputOf({ output, shape, failed }: CallSketch, choice: number): JsonObject {
  if (failed) {
    return choice === 0
      ? { type: 'error-json', value: { message: output, code: 1 } }
      : { type: 'error-text', value: output }
  }
  switch (shape) {
    case 'text':
      return { type: 'text', value: output }
    case 'parts':
      return choice === 0
        ? { type: 'content', value: [{ type: 'text', text: output }] }
        : { type: 'json', value: { rows: output.split('\n').slice(0, 40), ...BIG } }
    case 'image':
      return { type: 'content', value: [{ type: 'text', text: output }, { ...MEDIA[choice] }] }
    case 'nothing':
      return choice === 0 ? { type: 'json', value: null } : { type: 'text', value: '' }
  }
}
