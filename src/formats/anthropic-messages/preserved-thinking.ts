import type { JsonObject } from '../../engine/transcript.ts'
import type { DraftEntry } from '../draft.ts'
import { isRecord, pointer, textMember } from '../json.ts'
import type { Reading } from '../reading.ts'

/** Fable and Mythos from 5.1 on, Opus, Sonnet and Haiku from 5.5 on, and every later generation. */
const MODELS =
  /claude-(?:(?:fable|mythos)-5[-.][1-9]|(?:opus|sonnet|haiku)-5[-.][5-9]|[a-z]+-[6-9])(?!\d)/

/**
 * On models with preserved thinking a thinking block is valid only after the very messages before
 * which it was written; where earlier messages change, the API refuses the request, or drops the
 * block if it is told to (Anthropic, "Preserved thinking"). Nobody but the caller can choose that.
 */
export function warnOfBoundThinking(
  payload: JsonObject,
  entries: readonly DraftEntry[],
  { warnings }: Reading,
): void {
  if (!MODELS.test(textMember(payload, 'model')?.slice(0, 200).toLowerCase() ?? '')) return
  const thinking = isRecord(payload.thinking) ? payload.thinking : {}
  const binding = isRecord(thinking.block_binding) ? thinking.block_binding : {}
  if (binding.prefix_mismatch_behavior === 'drop_block') return
  const entry = entries.find(({ parts }) => parts.some(({ kind }) => kind === 'reasoning'))
  if (entry === undefined) return
  const part = entry.parts.findIndex(({ kind }) => kind === 'reasoning')
  warnings.add(
    'thinking-bound-to-prefix',
    'this model checks that nothing before a thinking block has changed: set ' +
      'thinking.block_binding.prefix_mismatch_behavior to "drop_block" when you send the result',
    pointer('messages', entry.index, 'content', part),
  )
}
