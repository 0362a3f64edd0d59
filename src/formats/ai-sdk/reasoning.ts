import { sealedPart } from '../content-parts.ts'
import type { DraftPart } from '../draft.ts'
import { textMember } from '../json.ts'
import { countEncrypted } from '../media/count-media.ts'
import type { Block, Reading } from '../reading.ts'
import { optionsOf } from './provider-options.ts'

/**
 * Members of a provider's options that hold the thinking itself, encrypted: OpenAI's reasoning items
 * and Anthropic's redacted thinking. A signature beside a readable text is none.
 */
const ENCRYPTED_MEMBERS = ['reasoningEncryptedContent', 'redactedData'] as const

/**
 * Thinking is shown by its text and costs what it says; where it is encrypted, what that text costs.
 * All summaries of one item carry the same encrypted text, which `counted` makes count once.
 */
export function reasoningPart(block: Block, counted: Set<string>, reading: Reading): DraftPart {
  const text = textMember(block, 'text') ?? ''
  let sealedTokens = 0
  for (const options of optionsOf(block)) {
    for (const member of ENCRYPTED_MEMBERS) {
      const sealed = textMember(options, member)
      if (sealed === undefined || counted.has(sealed)) continue
      counted.add(sealed)
      sealedTokens += countEncrypted(sealed)
    }
  }
  if (text === '') return sealedPart('reasoning', sealedTokens)
  const tokens = Math.max(reading.context.countTokens(text), sealedTokens)
  return { kind: 'reasoning', text, tokens, rewritable: false }
}
