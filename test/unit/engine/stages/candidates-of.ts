import type { RelevanceOptions } from '../../../../src/engine/options.ts'
import {
  collectCandidates,
  type RelevanceCandidate,
} from '../../../../src/engine/stages/relevance-candidates.ts'
import { buildTranscript, type EntrySpec } from '../../../helpers/transcript-builder.ts'
import { stageInput } from '../stage-input.ts'

/** An item of reasoning, linked by a label. */
export function reasoning(text: string, link: string): EntrySpec {
  const parts = [{ kind: 'reasoning' as const, text, rewritable: false }]
  return { role: 'assistant', parts, links: [link] }
}

/** Those of a conversation in which nothing is recent, unless it is said. */
export function candidatesOf(
  specs: readonly EntrySpec[],
  toolExchanges: RelevanceOptions['toolExchanges'] = 'keep',
  options: { pins?: readonly number[]; protectRecent?: number; gone?: readonly number[] } = {},
): RelevanceCandidate[] {
  const { pins = [], protectRecent = 0, gone = [] } = options
  const input = stageInput(buildTranscript(specs), {
    target: 1,
    pins,
    options: { protectRecent, relevance: { toolExchanges } },
  })
  input.state.apply({ drops: new Set(gone), replacements: new Map() })
  return collectCandidates(input)
}

export const entriesOf = (...args: Parameters<typeof candidatesOf>) =>
  candidatesOf(...args).map(({ entries }) => entries)
