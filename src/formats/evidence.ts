import type { JsonObject } from '../engine/transcript.ts'
import { pointer } from './json.ts'

/** One thing in a payload that speaks for a format, or against it. */
export interface Evidence {
  /** `yes`: only this format has it. `no`: this format cannot have it. */
  readonly verdict: 'yes' | 'no'
  readonly pointer: string
  readonly why: string
}

/** Most pieces of each verdict that are kept: the first are enough to see why. */
const MAX_PIECES = 3

export interface EvidenceCollector {
  readonly yes: (why: string, ...place: (string | number)[]) => void
  readonly no: (why: string, ...place: (string | number)[]) => void
  readonly list: () => readonly Evidence[]
}

export function createEvidence(): EvidenceCollector {
  const yes: Evidence[] = []
  const no: Evidence[] = []
  return {
    yes: (why, ...place) => {
      if (yes.length < MAX_PIECES) yes.push({ verdict: 'yes', pointer: pointer(...place), why })
    },
    no: (why, ...place) => {
      if (no.length < MAX_PIECES) no.push({ verdict: 'no', pointer: pointer(...place), why })
    },
    list: () => [...yes, ...no],
  }
}

/** Reads structure only: roles, names of members, types of parts. */
export type FindEvidence = (payload: JsonObject) => readonly Evidence[]

/** Evidence for outweighs evidence against: what is against it is then a fault inside the format. */
export function verdictOf(evidence: readonly Evidence[]): 'yes' | 'maybe' | 'no' {
  if (evidence.some(({ verdict }) => verdict === 'yes')) return 'yes'
  return evidence.length > 0 ? 'no' : 'maybe'
}
