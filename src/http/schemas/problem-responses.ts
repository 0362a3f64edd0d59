import { Type } from 'typebox'
import { ERRORS, type ErrorCode } from '../../engine/errors.ts'
import { PROBLEM_MEDIA_TYPE, PROBLEM_SCHEMA_ID } from '../problem.ts'

/** Any route may answer these, whatever it does. */
const ALWAYS: readonly ErrorCode[] = [
  'internal',
  'overloaded',
  'shutting-down',
  'deadline-exceeded',
]

/** The failures of a route for its response schema: one entry per status, the codes in its description. */
export function problemResponses(...codes: readonly ErrorCode[]) {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of [...codes, ...ALWAYS]) {
    const { status } = ERRORS[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    Array.from(byStatus, ([status, members]) => [
      status,
      {
        description: members.map((code) => `\`${code}\`: ${ERRORS[code].title}.`).join(' '),
        content: { [PROBLEM_MEDIA_TYPE]: { schema: Type.Ref(PROBLEM_SCHEMA_ID) } },
      },
    ]),
  )
}

/** What any route answers that takes a conversation. */
export const CONVERSATION_PROBLEMS = [
  'invalid-json',
  'invalid-request',
  'unauthorized',
  'payload-too-large',
  'too-many-messages',
  'unsupported-media-type',
  'unknown-format',
  'ambiguous-format',
  'invalid-conversation',
] as const satisfies readonly ErrorCode[]
