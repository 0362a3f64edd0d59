import type { JsonObject } from '../../engine/transcript.ts'
import { textMember } from '../json.ts'
import type { WireRule } from '../wire-rule.ts'
import type { Context } from './rule-context.ts'
import { partPointer, type WireContent } from './wire-part.ts'

export const SIGNATURE_RULES: readonly WireRule<Context>[] = [
  {
    id: 'thought-signature-missing',
    source:
      'Google, Thought signatures: from Gemini 3 on, the first call of each step of the current turn; enforced with a 400',
    run: ({ payload, contents }, report) => {
      if (!needsSignatures(payload)) return
      const start = contents.findLastIndex(startsTurn)
      for (const { role, parts } of contents.slice(start + 1)) {
        if (role !== 'model') continue
        const call = parts.find(({ isCall }) => isCall)
        if (call === undefined || call.isSigned) continue
        report(partPointer(call), 'has lost its thoughtSignature')
      }
    },
  },
]

/** With or without what gateways put around the name. */
function needsSignatures(payload: JsonObject): boolean {
  const name = textMember(payload, 'model')?.slice(0, 200).toLowerCase() ?? ''
  return Number(/gemini-(\d{1,3})/.exec(name)?.[1] ?? 0) >= 3
}

/** The user says something that is not only the responses of functions. */
function startsTurn({ role, parts }: WireContent): boolean {
  return role === 'user' && parts.some(({ isResponse }) => !isResponse)
}
