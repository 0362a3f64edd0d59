import { type ConversationMembers, payloadOf } from '../../conversation/request.ts'
import type { Warning } from '../../engine/transcript.ts'
import type { InputDocument } from './read-document.ts'

/** Settings of POST /compact. A provider's body has none of them, so they are likely meant for here. */
const SETTINGS: Readonly<Record<string, string>> = {
  targetTokens: '--target',
  maxBytes: '--max-bytes',
  lowWater: '--low-water',
  currentRequest: '--current-request',
  contextWindow: '--context-window',
  maxOutputTokens: '--max-output-tokens',
  compactionThreshold: '--compaction-threshold',
  pins: '--pin',
  profile: '--profile',
}

/** The members of a body that the engine reads. All others are passed on, and mean nothing here. */
export function conversationMembers({ members, session }: InputDocument): ConversationMembers {
  const payload = payloadOf(members as ConversationMembers)
  // Some clients write null for what they do not set.
  const given = Object.entries(payload).filter(([, value]) => value !== null)
  return {
    ...Object.fromEntries(given),
    ...(session?.model !== undefined && { model: session.model }),
  }
}

/** Settings inside the document are not read: they would be sent on to a provider with it. */
export function unreadSettings({ members }: InputDocument): readonly Warning[] {
  return Object.entries(SETTINGS)
    .filter(([name]) => Object.hasOwn(members, name))
    .map(([name, option]) => ({
      code: 'setting-not-read',
      message: `is no part of a conversation and was not read; use ${option}`,
      pointer: `/${name}`,
    }))
}
