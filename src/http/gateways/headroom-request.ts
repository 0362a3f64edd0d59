import type { HeadroomBody } from '../../contract/gateways/headroom.ts'
import { type CompactResult, compactConversation } from '../../conversation/compact-conversation.ts'
import { compactInSteps } from '../../conversation/compact-in-steps.ts'
import type { RunPorts } from '../../conversation/edit-conversation.ts'
import { type ReadConversation, readConversation } from '../../conversation/read-conversation.ts'
import type { CompactRequest, ConversationMembers } from '../../conversation/request.ts'
import type { ConversationServices } from '../../conversation/services.ts'
import { type Entry, entryTokens } from '../../engine/transcript.ts'
import type { Asked } from '../../proxy/asked.ts'
import { SAFETY_FACTOR_FOR_ESTIMATES } from '../../tokens/token-counter.ts'
import { askedSettings } from './asked-settings.ts'

/**
 * Compacts as the members of Headroom's request say. A caller who names a size gets that size; one
 * who names none posts the whole history on every turn, as gateways do, and so does one with a
 * session: theirs is compacted in steps, so that the provider's cache outlives a turn.
 */
export async function compactAsHeadroom(
  body: HeadroomBody,
  asked: Asked,
  services: ConversationServices,
  run: RunPorts,
): Promise<CompactResult> {
  const config = body.config ?? {}
  const members: ConversationMembers = {
    messages: body.messages as NonNullable<ConversationMembers['messages']>,
    ...(typeof body.model === 'string' && body.model !== '' && { model: body.model }),
  }
  const budget = asked.targetTokens ?? body.token_budget ?? undefined
  const ratio = budget === undefined ? (config.target_ratio ?? undefined) : undefined
  const needsReading = ratio !== undefined || config.compress_user_messages === false
  const read = needsReading ? readConversation(members, services) : undefined
  const target = ratio !== undefined && read !== undefined ? shareOf(read, ratio) : budget
  const frozen = Math.min(config.frozen_message_count ?? 0, body.messages.length)
  const request: CompactRequest = {
    ...members,
    ...askedSettings(asked),
    ...(target !== undefined && { targetTokens: target }),
    ...(read !== undefined && config.compress_user_messages === false && { pins: spoken(read) }),
    ...(frozen > 0 && { frozenMessages: frozen }),
    ...(typeof config.protect_recent === 'number' && {
      options: { protectRecent: config.protect_recent },
    }),
  }
  const isSized = ratio !== undefined || (asked.targetTokens === undefined && isSizedOnce(body))
  return isSized
    ? compactConversation(request, services, run)
    : compactInSteps(request, services, run)
}

/** A budget of its own, and no session in which others would follow. */
function isSizedOnce({ token_budget: budget, session_id: id, config }: HeadroomBody): boolean {
  return typeof budget === 'number' && !id && !config?.session_id
}

/** A share of what the conversation counts, by the same counter: no estimate is corrected twice. */
function shareOf({ transcript, counter }: ReadConversation, ratio: number): number {
  const { beside, entries } = transcript
  let tokens = beside.instructionsTokens + beside.toolsTokens + beside.framingTokens
  for (const entry of entries) tokens += entryTokens(entry)
  const target = Math.max(1, Math.floor(tokens * ratio))
  return counter.estimated ? Math.ceil(target / SAFETY_FACTOR_FOR_ESTIMATES) : target
}

/** Numbers of the messages in which the user says something. */
function spoken({ transcript }: ReadConversation): number[] {
  return transcript.entries.filter(isSpoken).map(({ index }) => index)
}

function isSpoken({ role, parts, flags }: Entry): boolean {
  if (flags.marker === true) return false
  if (role === 'user') return true
  return role === 'tool' && parts.some(({ kind, text }) => kind === 'text' && text.trim() !== '')
}
