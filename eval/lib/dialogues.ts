/**
 * MT-Bench-101 dialogues that the embedded model was not fitted on. The split is the fitting's own,
 * taken from its code, so that the two cannot drift apart.
 */
import { readDialogues } from '../embedded-model/composites.ts'

export interface Dialogue {
  readonly history: readonly { readonly user: string; readonly bot: string }[]
}

export interface HeldOut {
  /** Dialogues that the fit has never seen. */
  readonly dialogues: readonly Dialogue[]
  /** How many it has seen. */
  readonly fitted: number
}

export function readHeldOutDialogues(data: string): HeldOut {
  const { fit, heldOut } = readDialogues(data)
  return { dialogues: heldOut, fitted: fit.length }
}
