import {
  type GeminiContent,
  hasText,
  holds,
  holdsOnlyResponses,
  isUserSide,
  memberOf,
} from './gemini-parts.ts'
import { asRecord, type JsonRecord } from './json.ts'
import type { Fault } from './types.ts'

interface Call {
  readonly pointer: string
  readonly content: number
  readonly id: unknown
  readonly name: unknown
  /** `late`: a response came, but not in the content behind the call. */
  answer: 'none' | 'late' | 'given'
}

/**
 * Calls and responses of a Gemini request. The responses of all calls of a content stand together in
 * the content behind it: splitting them over several is refused just like leaving some out. A
 * response names its call by id ("functionResponse.id does not match functionCall.id"). Where one of
 * the two has none it is the name, and among calls of one name the order: Gemini CLI gives ids of its
 * own to the responses of calls that came without (google-gemini/gemini-cli issue 6974).
 *
 * - `call-without-result`: "Please ensure that the number of function response parts is equal to the
 *   number of function call parts of the function call turn". A call is still pending, and that is no
 *   fault, while its content is the last one or while only responses collected so far follow.
 * - `result-without-call`, `result-misplaced`: "Please ensure that function response turn comes
 *   immediately after a function call turn".
 * - `duplicate-result`: as for `call-without-result`, one too many.
 * - `call-placement`: "Please ensure that function call turn comes immediately after a user turn or
 *   after a function response turn".
 */
export function findGeminiToolFaults(contents: readonly GeminiContent[]): Fault[] {
  const calls: Call[] = []
  const faults: Fault[] = []
  contents.forEach((content, index) => {
    const previous = contents[index - 1]
    if (isUserSide(content)) faults.push(...findResponseFaults(content, index, calls))
    const own = callsOf(content, index)
    if (own.length > 0 && (previous === undefined || !isUserSide(previous))) {
      faults.push({ rule: 'call-placement', pointer: content.pointer })
    }
    calls.push(...own)
  })
  for (const { answer, content, pointer } of calls) {
    if (answer === 'given' || mayBePending(contents, content)) continue
    faults.push({ rule: 'call-without-result', pointer })
  }
  return faults
}

function callsOf({ role, parts, pointer }: GeminiContent, content: number): Call[] {
  if (role !== 'model') return []
  return parts.flatMap((part, position) => {
    if (!holds(part, 'functionCall')) return []
    const { id, name } = asRecord(memberOf(part, 'functionCall'))
    return [{ pointer: `${pointer}/parts/${position}`, content, id, name, answer: 'none' as const }]
  })
}

function findResponseFaults(
  { parts, pointer }: GeminiContent,
  index: number,
  calls: readonly Call[],
): Fault[] {
  return parts.flatMap((part, position) => {
    if (!holds(part, 'functionResponse')) return []
    const rule = settle(asRecord(memberOf(part, 'functionResponse')), index, calls)
    return rule === null ? [] : [{ rule, pointer: `${pointer}/parts/${position}` }]
  })
}

/** Gives the response to its call. The rule that is broken by it, or null. */
function settle({ id, name }: JsonRecord, index: number, calls: readonly Call[]): string | null {
  const meant = calls.filter((call) => isMeant(call, id, name))
  const open = meant.filter(({ answer, content }) => content === index - 1 && answer !== 'given')
  // Whoever shares the id comes first; then a call without one, which no id can ever name.
  const call =
    open.find((candidate) => hasText(id) && candidate.id === id) ??
    open.find((candidate) => !hasText(candidate.id)) ??
    open[0]
  if (call !== undefined) {
    call.answer = 'given'
    return null
  }
  if (meant.length === 0) return 'result-without-call'
  const unanswered = meant.find(({ answer }) => answer === 'none')
  if (unanswered === undefined) return 'duplicate-result'
  unanswered.answer = 'late'
  return 'result-misplaced'
}

function isMeant(call: Call, id: unknown, name: unknown): boolean {
  return hasText(id) && hasText(call.id) ? call.id === id : call.name === name
}

function mayBePending(contents: readonly GeminiContent[], asking: number): boolean {
  const next = contents[asking + 1]
  if (next === undefined) return true
  return asking === contents.length - 2 && isUserSide(next) && holdsOnlyResponses(next)
}
