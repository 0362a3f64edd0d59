import type { JsonObject } from '../../engine/transcript.ts'
import type { DraftPart } from '../draft.ts'
import { isArray, isRecord } from '../json.ts'
import { mediaLabel } from '../media/count-media.ts'
import { countOpaque, isBase64 } from '../media/opaque-tokens.ts'
import type { Reading } from '../reading.ts'
import { fileMedia, inlineMedia, type Media } from './media.ts'
import { dataOf } from './members.ts'
import { responseText } from './response-text.ts'

/**
 * One part, whatever the response holds: clearing it replaces the whole, so its media count towards
 * what clearing saves. Not rewritable if it holds a medium that nobody here knows.
 */
export function readResponse(functionResponse: JsonObject, reading: Reading): DraftPart {
  const { context } = reading
  const { text, value, isError } = responseText(functionResponse.response)
  const isPlain = typeof value === 'string' && !isBase64(value)
  const shown = [text]
  const held = { count: 0, tokens: 0, bytes: 0 }
  let opaqueTokens = 0
  let rewritable = true
  const { parts = null } = functionResponse
  for (const part of isArray(parts) ? parts : parts === null ? [] : [parts]) {
    const media = isRecord(part) ? mediaOf(part, reading) : undefined
    if (media === undefined) {
      shown.push(mediaLabel('part', JSON.stringify(part)))
      opaqueTokens += countOpaque(part, context)
      rewritable = false
      continue
    }
    shown.push(mediaLabel(media.kind, media.data ?? ''))
    held.count += 1
    held.tokens += media.tokens
    held.bytes += media.bytes
  }
  return {
    kind: 'tool-result',
    text: shown.filter((line) => line !== '').join('\n'),
    tokens:
      (isPlain ? context.countTokens(text) : countOpaque(value, context)) +
      held.tokens +
      opaqueTokens,
    rewritable,
    isError,
    ...(held.count > 0 && { media: { ...held, besideText: text } }),
  }
}

function mediaOf(part: JsonObject, { context }: Reading): Media | undefined {
  const data = dataOf(part)
  if (data === undefined || !isRecord(data.value)) return undefined
  if (data.kind === 'inlineData') return inlineMedia(data.value, context)
  return data.kind === 'fileData' ? fileMedia(data.value, context) : undefined
}
