import type { CompactResult } from '../conversation/compact-conversation.ts'
import {
  type CompactRequest,
  type ConversationMembers,
  payloadOf,
} from '../conversation/request.ts'
import { textMember } from '../formats/json.ts'
import { encodeLike } from '../json-text/encode-like.ts'
import { documentRange } from '../json-text/ranges.ts'
import type { Asked } from './asked.ts'
import type { ReadBody } from './parse-body.ts'
import { type Generation, outputLimitOf } from './surface.ts'

/**
 * The compaction that a provider's request asks for. Of the body only the members that belong to a
 * conversation are taken: any other may bear the name of an option of ours and mean something else.
 */
export function compactRequestOf(
  body: ReadBody,
  generation: Generation,
  asked: Asked,
): CompactRequest {
  const { json } = body
  const model = modelOf(body, generation)
  const outputTokens = outputLimitOf(json)
  // Nobody has validated the body: a model that is no text is for its provider to refuse.
  const { model: _posted, ...members } = payloadOf(json as ConversationMembers)
  return {
    ...(members as ConversationMembers),
    ...(model !== undefined && { model }),
    ...(outputTokens !== undefined && { maxOutputTokens: outputTokens }),
    ...(asked.targetTokens !== undefined && { targetTokens: asked.targetTokens }),
    ...(asked.profile !== undefined && { profile: asked.profile }),
    format: generation.format,
    explain: 'none',
  }
}

export function modelOf({ json }: ReadBody, { model }: Generation): string | undefined {
  return model ?? textMember(json, 'model')
}

/** The request's bytes with the compacted conversation in its place; all that is untouched keeps its own. */
export function rewriteBody({ text, json }: ReadBody, result: CompactResult): Buffer {
  const edited = { ...json, [result.list]: result.conversation }
  return encodeLike(edited, json, text, documentRange(text))
}
