import { computeFloor } from '../../../src/engine/floor.ts'
import { closeLinks } from '../../../src/engine/groups.ts'
import { markerText } from '../../../src/engine/marker.ts'
import { type OptionOverrides, resolveOptions } from '../../../src/engine/options.ts'
import { protect } from '../../../src/engine/protection.ts'
import type { StageInput } from '../../../src/engine/stage.ts'
import { createState, type State } from '../../../src/engine/state.ts'
import type { Transcript } from '../../../src/engine/transcript.ts'
import { fakePorts } from '../../helpers/fake-ports.ts'

/** Tokens of the counting marker in the tests' counts, for up to 999 messages. */
export const MARKER_TOKENS = fakePorts().countInsertion(markerText(999))

export interface StageSpec {
  readonly target: number
  readonly options?: OptionOverrides
  readonly pins?: readonly number[]
  readonly currentRequest?: string
  readonly needed?: ReadonlyMap<number, number>
  readonly rankByNeed?: boolean
}

/** What the runner would hand to a stage, for a transcript on which no stage has run. */
export function stageInput(
  transcript: Transcript,
  spec: StageSpec,
): StageInput & { readonly state: State } {
  const options = resolveOptions('neurolink', { protectRecent: 0 }, spec.options)
  const groups = closeLinks(transcript)
  const protection = protect({
    transcript,
    groups,
    protectRecent: options.protectRecent,
    pins: new Set(spec.pins),
  })
  return {
    transcript,
    groups,
    protection,
    options,
    target: spec.target,
    maxBytes: Number.POSITIVE_INFINITY,
    state: createState(transcript),
    currentRequest: spec.currentRequest,
    needed: spec.needed ?? new Map(),
    rankByNeed: spec.rankByNeed ?? false,
    markerTokens: MARKER_TOKENS,
    floorTokens: computeFloor(transcript, protection, MARKER_TOKENS).tokens,
  }
}
