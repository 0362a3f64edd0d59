import { asArray } from './json.ts'
import type { WirePayload } from './types.ts'

const LIST_MEMBERS = ['messages', 'input', 'contents'] as const

type ListMember = (typeof LIST_MEMBERS)[number]

/** The member of the payload in which its conversation stands. */
export function listMemberOf(payload: WirePayload): ListMember {
  return LIST_MEMBERS.find((member) => Object.hasOwn(payload, member)) ?? 'messages'
}

/** The conversation, oldest first. A string in the place of the list is its one message. */
export function conversationListOf(payload: WirePayload): readonly unknown[] {
  const list = payload[listMemberOf(payload)]
  return typeof list === 'string' ? [list] : asArray(list)
}
