import type { EntryFlags, JsonObject } from '../../engine/transcript.ts'
import { itemsOf } from '../conversation-list.ts'
import type { DraftEntry, DraftPart } from '../draft.ts'
import { isArray, isRecord, pointer, textMember } from '../json.ts'
import { countEncrypted } from '../media/count-media.ts'
import type { Block, Reading } from '../reading.ts'
import { isCompaction } from './blocks.ts'

/** Never altered, never merged into another summary. */
const SEALED: EntryFlags = Object.freeze({ sealed: true })

/** Its summary is what the model reads; what is encrypted beside it is for the provider only. */
export function compactionPart(block: Block, { context }: Reading): DraftPart {
  const summary = textMember(block, 'content')
  const sealed = textMember(block, 'encrypted_content')
  const tokens = summary === undefined ? countEncrypted(sealed ?? '') : context.countTokens(summary)
  return { kind: 'opaque', text: `[${block.type}]`, tokens, rewritable: false }
}

/**
 * The API leaves out every block before the last compaction, and continues from its summary
 * (Anthropic, "Compaction"). Those blocks cost nothing, and a marker or a summary among them would
 * never be read: they stay as they are, and so does the compaction.
 */
export function sealCompacted(
  payload: JsonObject,
  entries: readonly DraftEntry[],
  { warnings }: Reading,
): void {
  const last = lastCompaction(payload)
  if (last === undefined) return
  for (const entry of entries.slice(0, last.message + 1)) {
    const isBefore = entry.index < last.message
    const compacted = isBefore ? entry.parts : entry.parts.slice(0, last.position)
    for (const part of compacted) part.tokens = 0
    if (isBefore) entry.framingTokens = 0
    entry.flags = SEALED
  }
  if (last.message === 0) return
  warnings.add(
    'before-compaction',
    'the API leaves out what stands before this compaction: it counts nothing, is kept, and need ' +
      'not be sent',
    pointer('messages', last.message, 'content', last.position),
  )
}

function lastCompaction(payload: JsonObject): { message: number; position: number } | undefined {
  const messages = itemsOf(payload, 'messages')
  for (let message = messages.length - 1; message >= 0; message -= 1) {
    const value = messages[message]
    const content = isRecord(value) && isArray(value.content) ? value.content : []
    for (let position = content.length - 1; position >= 0; position -= 1) {
      const block = content[position]
      if (isRecord(block) && isCompaction(block)) return { message, position }
    }
  }
  return undefined
}
