import {
  conversationListOf,
  type Fault,
  listMemberOf,
  type WireFormat,
  type WirePayload,
} from '../../helpers/wire-rules/index.ts'

/**
 * The oracle's name for a rule -> the name that the checkers of the service have for it, in the
 * formats whose two sides were written under names of their own. null for what only one side judges.
 */
const NAMES: Readonly<Record<string, string | null>> = {
  'unknown-role': 'known-role',
  'first-message-not-user': 'first-role',
  'misplaced-block': 'block-role',
  'missing-content': 'empty-content',
  'missing-result': 'call-without-result',
  'missing-function-result': 'call-without-result',
  'missing-server-result': 'server-call-without-result',
  'orphan-result': 'result-without-call',
  'orphan-function-result': 'result-without-call',
  'orphan-server-result': 'server-result-without-call',
  // The checkers tell a result in the wrong place from one that nobody asked for; the oracle does not.
  'result-misplaced': 'result-without-call',
  'duplicate-call': 'duplicate-call-id',
  'result-not-first': 'results-first',
  'missing-signature': 'thinking-sealed',
  // A message of nothing but thinking ends with it.
  'thinking-only': 'thinking-last',
  // The service finds messages by their place, and leaves names of tools alone.
  'missing-message-id': null,
  'mismatched-tool': null,
}

const OWN_NAMES: ReadonlySet<WireFormat> = new Set([
  'openai-chat',
  'anthropic-messages',
  'neurolink',
])

/** In Gemini, whose results may name no call but only its tool, a second answer is also one out of place. */
const NAMES_OF_GEMINI: Readonly<Record<string, string | null>> = {
  'duplicate-result': 'result-misplaced',
}

/** Where the first is found, the others say nothing more of the same message. */
const SETTLES: Readonly<Record<string, readonly string[]>> = {
  'known-role': ['part-role', 'block-role', 'empty-content'],
  'result-without-call': ['results-first'],
}

/**
 * Rule and message of each fault, in a form in which both sides can be compared: how many parts of a
 * message are at fault, and how far a pointer goes into it, is left to each.
 */
export function sharedFaults(
  format: WireFormat,
  payload: WirePayload,
  faults: readonly Fault[],
): string[] {
  const list = listMemberOf(payload)
  const { length } = conversationListOf(payload)
  const names = namesOf(format)
  const rulesAt = new Map<string, Set<string>>()
  for (const { rule, pointer } of faults) {
    const name = Object.hasOwn(names, rule) ? names[rule] : rule
    const [, member, index = ''] = pointer.split('/')
    const isOfMessage = member === list && index !== '' && Number(index) < length
    const place = isOfMessage ? `/${member}/${index}` : 'the conversation'
    if (typeof name === 'string') rulesAt.set(place, (rulesAt.get(place) ?? new Set()).add(name))
  }
  return [...rulesAt]
    .flatMap(([place, rules]) => {
      for (const rule of [...rules]) for (const other of SETTLES[rule] ?? []) rules.delete(other)
      return [...rules].map((rule) => `${rule} ${place}`)
    })
    .sort()
}

function namesOf(format: WireFormat): Readonly<Record<string, string | null>> {
  if (format === 'gemini') return NAMES_OF_GEMINI
  return OWN_NAMES.has(format) ? NAMES : {}
}
