import type { Answer } from '../ports.ts'
import type { Verdict } from '../report.ts'

/**
 * P(yes) of a boolean answer with its confidence |2p - 1|. Undefined for everything that is not an
 * answer: missing, of another kind, not a number, outside [0, 1].
 */
export function readBoolean(answer: Answer | undefined): Verdict | undefined {
  if (answer?.kind !== 'boolean') return undefined
  const { probability } = answer
  // What a server sends is not what its type says: null and '0' would compare as 0.
  if (typeof probability !== 'number' || !(probability >= 0 && probability <= 1)) return undefined
  return { probability, confidence: Math.abs(probability - 0.5) * 2 }
}

export function isConfidentYes(verdict: Verdict | undefined, minConfidence: number): boolean {
  return verdict !== undefined && verdict.probability > 0.5 && verdict.confidence >= minConfidence
}

export function isConfidentNo(verdict: Verdict | undefined, minConfidence: number): boolean {
  return verdict !== undefined && verdict.probability < 0.5 && verdict.confidence >= minConfidence
}
