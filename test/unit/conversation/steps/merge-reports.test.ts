import { describe, expect, it } from 'vitest'
import { mergeRelevance, mergeStages } from '../../../../src/conversation/steps/merge-reports.ts'
import { STAGE_NAMES, type StageName } from '../../../../src/engine/options.ts'
import type { RelevanceReport, StageReport } from '../../../../src/engine/report.ts'

const stageOf = (
  stage: StageName,
  status: StageReport['status'],
  over: Partial<StageReport> = {},
): StageReport => ({
  stage,
  status,
  tokensBefore: 100,
  tokensAfter: 100,
  dropped: 0,
  rewritten: 0,
  ...over,
})

describe('mergeStages', () => {
  it('tells of every stage once, in their order, each going on from the one before', () => {
    const merged = mergeStages(
      [
        {
          stages: [
            stageOf('prune', 'applied', { tokensBefore: 90, tokensAfter: 70, rewritten: 2 }),
            stageOf('truncate', 'applied', { tokensBefore: 70, tokensAfter: 40, dropped: 3 }),
          ],
        },
        {
          stages: [
            stageOf('prune', 'applied', { tokensBefore: 80, tokensAfter: 75, rewritten: 1 }),
            stageOf('truncate', 'applied', { tokensBefore: 75, tokensAfter: 50, dropped: 2 }),
          ],
        },
      ],
      130,
    )
    expect(merged.map(({ stage }) => stage)).toEqual(STAGE_NAMES)
    expect(merged.map(({ tokensBefore, tokensAfter }) => [tokensBefore, tokensAfter])).toEqual([
      [130, 130],
      [130, 105],
      [105, 105],
      [105, 105],
      [105, 105],
      [105, 50],
    ])
    expect(merged[1]).toMatchObject({ rewritten: 3, dropped: 0 })
    expect(merged[5]).toMatchObject({ rewritten: 0, dropped: 5 })
  })

  it('shows the last time that a stage was applied, else the last that it came to', () => {
    const [relevance, prune, deduplicate] = mergeStages(
      [
        {
          stages: [
            stageOf('relevance', 'applied', { reason: 'timeout' }),
            stageOf('prune', 'skipped', { reason: 'first' }),
          ],
        },
        {
          stages: [
            stageOf('relevance', 'failed', { reason: 'overloaded' }),
            stageOf('prune', 'rejected', { reason: 'not-smaller' }),
          ],
        },
      ],
      100,
    )
    expect(relevance).toMatchObject({ status: 'applied', reason: 'timeout' })
    expect(prune).toMatchObject({ status: 'rejected', reason: 'not-smaller' })
    expect(deduplicate).toMatchObject({ status: 'not-needed' })
    expect(deduplicate).not.toHaveProperty('reason')
  })
})

describe('mergeRelevance', () => {
  const report: RelevanceReport = {
    asked: 3,
    answered: 2,
    flagged: 2,
    dropped: 1,
    notAsked: 4,
    capHit: false,
    order: 'oldest-first',
    expectedNeededLost: 0.25,
    model: 'a',
    wire: 'scripted',
    latencyMs: 10,
    requests: 1,
  }

  it('is undefined where no step has asked', () => {
    expect(mergeRelevance([{}, {}])).toBeUndefined()
  })

  it('adds up counts, and names the last model', () => {
    expect(
      mergeRelevance([
        { relevance: report },
        {},
        { relevance: { ...report, model: 'b', capHit: true } },
      ]),
    ).toEqual({
      asked: 6,
      answered: 4,
      flagged: 4,
      dropped: 2,
      notAsked: 8,
      capHit: true,
      order: 'oldest-first',
      expectedNeededLost: 0.5,
      model: 'b',
      wire: 'scripted',
      latencyMs: 20,
      requests: 2,
    })
  })

  it('tells of a failure of any step, the last one first', () => {
    const failing = (failOpen: 'timeout' | 'network') => ({ relevance: { ...report, failOpen } })
    expect(mergeRelevance([failing('timeout'), { relevance: report }])?.failOpen).toBe('timeout')
    expect(mergeRelevance([failing('timeout'), failing('network')])?.failOpen).toBe('network')
  })
})
