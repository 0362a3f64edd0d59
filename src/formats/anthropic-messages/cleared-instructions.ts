import type { JsonObject } from '../../engine/transcript.ts'
import { itemsOf } from '../conversation-list.ts'
import type { DraftEntry } from '../draft.ts'
import { isRecord } from '../json.ts'

/**
 * A system message with `clear_at: "next_user_message"` is shown to the model until a user's message
 * follows. From then on it is sent back unchanged and costs nothing (SDK types,
 * `BetaSystemMessageParam`). A message of results alone clears it too, but may be dropped, and the
 * count must hold for what is left: only what a user says is taken for the clearing.
 */
export function clearInstructions(payload: JsonObject, entries: readonly DraftEntry[]): void {
  const messages = itemsOf(payload, 'messages')
  let isFollowed = false
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index]
    const entry = entries[index]
    if (!isRecord(message) || entry === undefined) continue
    isFollowed ||= isSpeech(entry)
    if (!isFollowed || message.role !== 'system') continue
    if (message.clear_at !== 'next_user_message') continue
    for (const part of entry.parts) part.tokens = 0
    entry.framingTokens = 0
  }
}

function isSpeech({ role, parts, flags }: DraftEntry): boolean {
  if (role !== 'user' || flags.marker === true || flags.summary === true) return false
  return parts.some(({ kind, text }) => kind !== 'text' || text.trim() !== '')
}
