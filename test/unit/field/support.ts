import { expect } from 'vitest'
import type { CompactResult } from '../../../src/conversation/compact-conversation.ts'
import type { CompactRequest } from '../../../src/conversation/request.ts'
import type { OptionOverrides, StageName } from '../../../src/engine/options.ts'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { FORMATS } from '../../../src/formats/index.ts'
import { type FakeSummarizer, fakeSummarizer } from '../../helpers/fake-ports.ts'
import { findFaults } from '../../helpers/wire-rules/index.ts'
import { compactWith, only } from '../seeds/support.ts'
import { DIALECTS, type FieldFormat } from './dialects.ts'

export const SUMMARY = '1. Primary Request and Intent: run what was asked for.'

export interface Run {
  readonly result: CompactResult
  readonly summarize: FakeSummarizer
}

/** Compacts the items of a conversation; what rides beside them goes into `request`. */
export async function run(
  format: FieldFormat,
  items: readonly JsonObject[],
  request: Omit<CompactRequest, 'messages' | 'input' | 'contents'>,
): Promise<Run> {
  const summarize = fakeSummarizer([SUMMARY])
  const result = await compactWith(
    { format, [DIALECTS[format].list]: items, ...request },
    { summarize },
  )
  return { result, summarize }
}

/** Neither this service's checker nor the independent one finds a fault, and none was held back. */
export function expectValid(format: FieldFormat, { result }: Run, beside: JsonObject = {}): void {
  const payload = { ...beside, [DIALECTS[format].list]: [...result.messages] }
  expect(result.brokenRules).toEqual([])
  expect(FORMATS[format].check(payload)).toEqual([])
  expect(findFaults(format, payload)).toEqual([])
}

export const STAGES = ['prune', 'collapse', 'summarize', 'truncate'] as const

export interface Step extends Run {
  readonly stages: readonly StageName[]
  readonly targetTokens: number
}

/**
 * Compacts the conversation by each stage alone and by all of them, at `steps` targets from just
 * above the floor to just below its size, so that the cut falls at every place.
 */
export async function sweep(
  format: FieldFormat,
  items: readonly JsonObject[],
  visit: (step: Step) => void,
  { steps = 8, beside = {} as JsonObject } = {},
): Promise<void> {
  const posted = await run(format, items, { ...beside, targetTokens: 1e9 })
  const { tokensBefore, floor } = posted.result.report
  const sets: readonly (readonly StageName[])[] = [...STAGES.map((name) => [name]), STAGES]
  const changed = new Set<string>()
  for (const stages of sets) {
    const options: OptionOverrides = {
      ...only(...stages),
      prune: { enabled: stages.includes('prune'), protectTokens: 100, minimumSavings: 1 },
    }
    for (let step = 1; step <= steps; step += 1) {
      const room = ((tokensBefore - floor.tokens) * step) / (steps + 1)
      const targetTokens = Math.ceil(floor.tokens + room)
      const done = await run(format, items, { ...beside, targetTokens, options })
      if (done.result.report.outcome !== 'unchanged') changed.add(stages.join())
      visit({ ...done, stages, targetTokens })
    }
  }
  // A sweep that changes nothing would show nothing.
  expect(changed.has('truncate')).toBe(true)
  expect(changed.size).toBeGreaterThanOrEqual(3)
}
