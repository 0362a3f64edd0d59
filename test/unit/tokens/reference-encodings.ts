import { get_encoding, type Tiktoken } from 'tiktoken'
import type { EncodingName } from '../../../src/tokens/encoding.ts'

export const ENCODING_NAMES: readonly EncodingName[] = ['o200k_base', 'cl100k_base']

const loaded = new Map<EncodingName, Tiktoken>()

/** What OpenAI's own tokeniser says, special tokens taken as text. */
export function referenceCount(name: EncodingName, text: string): number {
  let encoding = loaded.get(name)
  if (encoding === undefined) {
    encoding = get_encoding(name)
    loaded.set(name, encoding)
  }
  return encoding.encode_ordinary(text).length
}
