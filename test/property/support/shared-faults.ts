import {
  conversationListOf,
  type Fault,
  listMemberOf,
  type WireFormat,
  type WirePayload,
} from '../../helpers/wire-rules/index.ts'

/**
 * In the formats of chat completions and messages the checkers tell a result in the wrong place from
 * one that nobody asked for; the oracle does not.
 */
const NAMES: Readonly<Record<string, string | null>> = {
  'result-misplaced': 'result-without-call',
}

/** The oracle's name for a rule -> the checker's. null for what only one side judges. */
const NAMES_OF_NEUROLINK: Readonly<Record<string, string | null>> = {
  ...NAMES,
  'unknown-role': 'known-role',
  'missing-result': 'call-without-result',
  'orphan-result': 'result-without-call',
  'duplicate-call': 'duplicate-call-id',
  // The service finds messages by their place, and leaves names of tools alone.
  'missing-message-id': null,
  'mismatched-tool': null,
}

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
  switch (format) {
    case 'gemini':
      return NAMES_OF_GEMINI
    case 'neurolink':
      return NAMES_OF_NEUROLINK
    case 'openai-chat':
    case 'anthropic-messages':
      return NAMES
    default:
      return {}
  }
}
