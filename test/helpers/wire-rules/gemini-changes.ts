import { hasText, memberOf, readGeminiContent } from './gemini-parts.ts'
import { asArray, type JsonRecord } from './json.ts'
import type { Fault, WirePayload } from './types.ts'

/**
 * What a change of a Gemini conversation did to its thought signatures. The guide "Thought
 * signatures" asks for every signature exactly as received, in the very part it came with. Contents
 * may go as a whole, and unsigned parts may be shortened. Pointers are into `after`.
 *
 * - `sealed-changed`: a signed part is not one of `before`, or is one that lost its signature.
 * - `signature-parted`: the content kept something, but not all of its signed parts.
 */
export function findGeminiChanges(before: WirePayload, after: WirePayload): Fault[] {
  const old = modelContents(before)
  const sealedOnes = old.filter(isSealed)
  const takeSealed = supplyOf(old.flatMap(({ sealed }) => sealed))
  const takeUnsigned = supplyOf(old.flatMap(({ bare }) => bare))
  const stripped = new Set(old.flatMap((content) => content.stripped))
  const whole = new Set(old.map(({ sealed }) => JSON.stringify(sealed)))
  const takeUnsealed = supplyOf(
    old.filter((content) => !isSealed(content)).flatMap(({ bare }) => bare),
  )
  const besideSeals = new Set(sealedOnes.flatMap(({ bare }) => bare))
  return modelContents(after).flatMap((content) => {
    const changed = content.parts.flatMap((part, position) => {
      const text = JSON.stringify(part)
      const isKept = isSigned(part) ? takeSealed(text) : takeUnsigned(text) || !stripped.has(text)
      if (isKept) return []
      return [{ rule: 'sealed-changed', pointer: `${content.pointer}/parts/${position}` }]
    })
    if (changed.length > 0) return changed
    const isParted = isSealed(content)
      ? !whole.has(JSON.stringify(content.sealed))
      : content.bare.some((text) => !takeUnsealed(text) && besideSeals.has(text))
    return isParted ? [{ rule: 'signature-parted', pointer: content.pointer }] : []
  })
}

interface SealedContent {
  readonly pointer: string
  readonly parts: readonly JsonRecord[]
  /** JSON of the signed parts, of the same without signature, and of the unsigned parts. */
  readonly sealed: readonly string[]
  readonly stripped: readonly string[]
  readonly bare: readonly string[]
}

function modelContents(payload: WirePayload): SealedContent[] {
  return asArray(payload.contents).flatMap((value, index) => {
    const { role, parts, pointer } = readGeminiContent(value, index)
    if (role !== 'model') return []
    const signed = parts.filter(isSigned)
    return [
      {
        pointer,
        parts,
        sealed: signed.map((part) => JSON.stringify(part)),
        stripped: signed.map((part) => JSON.stringify(withoutSignature(part))),
        bare: parts.filter((part) => !isSigned(part)).map((part) => JSON.stringify(part)),
      },
    ]
  })
}

function isSigned(part: JsonRecord): boolean {
  return hasText(memberOf(part, 'thoughtSignature'))
}

function isSealed({ sealed }: SealedContent): boolean {
  return sealed.length > 0
}

function withoutSignature(part: JsonRecord): JsonRecord {
  const { thoughtSignature, thought_signature, ...rest } = part
  return rest
}

/** Hands out each text as often as it is there; false when there is none left. */
function supplyOf(texts: readonly string[]): (text: string) => boolean {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return (text) => {
    const left = counts.get(text) ?? 0
    counts.set(text, left - 1)
    return left > 0
  }
}
