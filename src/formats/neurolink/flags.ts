import type { EntryFlags, JsonObject } from '../../engine/transcript.ts'
import { NO_FLAGS } from '../draft.ts'
import { markerFlags } from '../flags.ts'
import { isArray, isRecord, textMember } from '../json.ts'

/** What a ChatMessage says about itself. Its text decides nothing but the marker's count. */
export function flagsOfMessage(message: JsonObject): EntryFlags {
  const metadata = isRecord(message.metadata) ? message.metadata : {}
  const flags: EntryFlags = {
    ...(message.isTruncationMarker === true &&
      (markerFlags(textMember(message, 'content') ?? '') ?? { marker: true })),
    ...(metadata.isSummary === true && { summary: true }),
    ...(metadata.isSkill === true && { skill: true }),
    ...(isCondensed(message) && { condensed: true }),
    ...(hasActivity(message) && { events: true }),
  }
  return Object.keys(flags).length === 0 ? NO_FLAGS : flags
}

/** A speaker's message that names a tool or a call belongs to an exchange that pairing cannot see. */
function hasActivity(message: JsonObject): boolean {
  if (isArray(message.events) && message.events.length > 0) return true
  if (message.role === 'tool_call' || message.role === 'tool_result') return false
  return (
    textMember(message, 'tool') !== undefined || textMember(message, 'toolCallId') !== undefined
  )
}

function isCondensed(message: JsonObject): boolean {
  return (
    textMember(message, 'condenseParent') !== undefined ||
    textMember(message, 'truncationParent') !== undefined
  )
}
