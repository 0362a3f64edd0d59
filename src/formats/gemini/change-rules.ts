import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import type { ChangeRule } from '../change-rule.ts'
import { isArray, isRecord } from '../json.ts'

const THOUGHT_SIGNATURES =
  'Google, Thought signatures: a signature goes back in the part with which it came'

/** Beside the rules of all formats, which compare the signatures themselves. */
export const GEMINI_CHANGE_RULES: readonly ChangeRule[] = [
  {
    id: 'sealed-changed',
    source: THOUGHT_SIGNATURES,
    run: ({ before, survivor, pointer }, report) => {
      for (const [index, item] of before.entries()) {
        const after = survivor(index)
        if (after === undefined || after === null || after === item) continue
        const [signed, kept] = [signedParts(item), signedParts(after)]
        if (!haveSameSignatures(signed, kept)) continue
        if (JSON.stringify(signed) === JSON.stringify(kept)) continue
        report(pointer(index), 'has a signed part that says something else than before')
      }
    },
  },
  {
    id: 'signature-parted',
    source: THOUGHT_SIGNATURES,
    run: ({ before, survivor, pointer }, report) => {
      for (const [index, item] of before.entries()) {
        const after = survivor(index)
        if (after === undefined || after === null || after === item) continue
        if (signedParts(after).length >= signedParts(item).length) continue
        report(pointer(index), 'has lost a signed part, and goes on without it')
      }
    },
  },
]

function haveSameSignatures(before: readonly JsonObject[], after: readonly JsonObject[]): boolean {
  if (before.length !== after.length) return false
  return before.every((part, index) => sealOf(part) === sealOf(after[index]))
}

function signedParts(item: JsonValue): JsonObject[] {
  if (!isRecord(item) || !isArray(item.parts)) return []
  return item.parts.filter((part): part is JsonObject => isRecord(part) && sealOf(part) !== null)
}

function sealOf(part: JsonObject | undefined): JsonValue {
  const seal = part?.thoughtSignature ?? part?.thought_signature
  return seal === undefined || seal === '' ? null : seal
}
