import type { KongCompressBody } from '../../contract/gateways/kong.ts'
import { shortenToTokens } from '../../engine/text-cut.ts'
import type { CountTokens } from '../../engine/transcript.ts'

export interface ShortenedText {
  readonly msg_id: number | string
  readonly compress_prompt: string
  readonly compressor_results: {
    readonly msg_id: number | string
    readonly original_token_count: number
    readonly compress_token_count: number
    readonly save_token_count: number
    /** Value of the range that held the text; null where none did. */
    readonly compress_value: number | null
    readonly compress_type: 'rate' | 'target_token'
    readonly compressor_model: string
    readonly information: string
  }
}

/** What shortens: head and tail of the text around a mark that says how much is missing. */
const COMPRESSOR = 'precis-head-and-tail'

/** Brings each text to the value of its range; none grows, and none is left out. */
export function shortenTexts(body: KongCompressBody, countTokens: CountTokens): ShortenedText[] {
  const texts = typeof body.text === 'string' ? [{ text: body.text }] : body.text
  return texts.map((item, index) =>
    shortenText('msg_id' in item ? (item.msg_id ?? index) : index, item.text, body, countTokens),
  )
}

function shortenText(
  id: number | string,
  text: string,
  { compress_type: type = 'rate', compress_ranges: ranges = [] }: KongCompressBody,
  countTokens: CountTokens,
): ShortenedText {
  const before = countTokens(text)
  const range = ranges.find(
    ({ min_tokens: min, max_tokens: max }) => before >= min && before <= max,
  )
  const budget =
    range === undefined ? before : Math.floor(type === 'rate' ? before * range.value : range.value)
  const shortened = shortenToTokens(text, before, budget, countTokens) ?? text
  const after = shortened === text ? before : countTokens(shortened)
  return {
    msg_id: id,
    compress_prompt: shortened,
    compressor_results: {
      msg_id: id,
      original_token_count: before,
      compress_token_count: after,
      save_token_count: before - after,
      compress_value: range?.value ?? null,
      compress_type: type,
      compressor_model: COMPRESSOR,
      information: informationOf(range !== undefined, before, budget, after),
    },
  }
}

function informationOf(isInRange: boolean, before: number, budget: number, after: number): string {
  if (!isInRange) return 'no range holds this text'
  if (after < before) return 'shortened'
  return budget < before ? 'too short to be shortened so far' : 'within its range'
}
