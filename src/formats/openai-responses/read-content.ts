import type { JsonValue } from '../../engine/transcript.ts'
import { mediaPart, opaquePart, textPart } from '../content-parts.ts'
import type { DraftPart } from '../draft.ts'
import { isArray, textMember } from '../json.ts'
import { type Block, isTextType, type Reading, readContent } from '../reading.ts'

export const MEDIA: ReadonlySet<string> = new Set(['input_image', 'input_file', 'input_audio'])

/** Each block is one part, under the same number. A string is part 0; '' is no part. */
export function readContentParts(
  value: JsonValue | undefined,
  at: string,
  reading: Reading,
): DraftPart[] | undefined {
  const content = readContent(value, () => at, reading)
  if (content === undefined) return undefined
  if (content === null || content === '') return []
  if (typeof content === 'string') return [textPart(content, reading)]
  return content.map((block) => blockPart(block, reading))
}

function blockPart(block: Block, reading: Reading): DraftPart {
  const { type } = block
  if (isTextType(type)) return textPart(textMember(block, 'text') ?? '', reading, !isBound(block))
  if (type === 'refusal') return textPart(textMember(block, 'refusal') ?? '', reading, false)
  if (type === 'summary_text' || type === 'reasoning_text') {
    return textPart(textMember(block, 'text') ?? '', reading, false)
  }
  return mediaPart(block, MEDIA, reading) ?? opaquePart(type, block, reading)
}

/** Annotations and log probabilities point into what the text says. */
function isBound({ annotations, logprobs }: Block): boolean {
  return [annotations, logprobs].some((list) => isArray(list) && list.length > 0)
}
