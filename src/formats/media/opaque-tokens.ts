import type { JsonValue } from '../../engine/transcript.ts'
import type { ReadContext } from '../adapter.ts'
import { countEncrypted, countUnknownData } from './count-media.ts'

/** A shorter run of base64 characters can be a word, an id or a hash. */
const MIN_BASE64 = 256

const BASE64 = /^[A-Za-z0-9+/_\-\r\n]+={0,2}\s?$/

/** Members whose text only the provider can read. */
const ENCRYPTED = new Set(['encrypted_content', 'encrypted_index', 'encrypted_stdout', 'signature'])

/**
 * Tokens of a value whose shape is not known: its JSON text, with media counted by what they are.
 * The caller has bounded its depth.
 */
export function countOpaque(value: JsonValue, context: ReadContext): number {
  let media = 0
  const text = JSON.stringify(value, (name, member: unknown) => {
    if (typeof member !== 'string') return member
    if (ENCRYPTED.has(name)) media += countEncrypted(member)
    else if (isBase64(member)) media += countUnknownData(member, context)
    else return member
    return ''
  })
  return context.countTokens(text) + media
}

export function isBase64(text: string): boolean {
  if (text.startsWith('data:') && text.slice(0, 1000).includes(';base64,')) return true
  return text.length >= MIN_BASE64 && BASE64.test(text)
}
