import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerTo, anyOptions, scriptedDecider } from '../../helpers/arbitraries/index.ts'

const RUNS = { numRuns: 500, seed: 20_260_303 }

describe('anyOptions', () => {
  it('stays within the bounds of valid options', () => {
    fc.assert(
      fc.property(anyOptions, ({ targetRatio, options }) => {
        expect(targetRatio).toBeGreaterThanOrEqual(0.02)
        expect(targetRatio).toBeLessThanOrEqual(1.2)
        for (const share of [options.maxDropRatio, options.minDropConfidence]) {
          expect(share ?? 0).toBeGreaterThanOrEqual(0)
          expect(share ?? 0).toBeLessThanOrEqual(1)
        }
        expect(options.protectRecent ?? 0).toBeGreaterThanOrEqual(0)
        expect(options.protectRecent ?? 0).toBeLessThanOrEqual(12)
      }),
      RUNS,
    )
  })

  it('reaches every profile, each option both set and left out, and each stage on and off', () => {
    const sample = fc.sample(anyOptions, RUNS)
    const facts = sample.flatMap(({ profile, options }) => [
      profile,
      ...OPTION_NAMES.map((name) => `${name} ${name in options ? 'set' : 'left out'}`),
      ...Object.entries(options.stages ?? {}).map(([stage, isOn]) => `${stage} ${isOn}`),
    ])
    expect(new Set(facts)).toEqual(
      new Set([
        'neurolink',
        'agent',
        'rubyn',
        ...OPTION_NAMES.flatMap((name) => [`${name} set`, `${name} left out`]),
        ...STAGES.flatMap((stage) => [`${stage} true`, `${stage} false`]),
      ]),
    )
  })
})

const OPTION_NAMES = [
  'protectRecent',
  'protectTokens',
  'minimumSavings',
  'maxDropRatio',
  'minDropConfidence',
  'toolExchanges',
  'order',
  'riskBudget',
  'stages',
]

const STAGES = ['relevance', 'prune', 'deduplicate', 'collapse', 'summarize', 'truncate']

describe('scriptedDecider', () => {
  it('reaches confident answers, nonsense, silence and both failures', () => {
    const sample = fc.sample(scriptedDecider, RUNS)
    const answers = new Set(sample.flatMap((script) => script.answers))
    const expected = [0, 0.2, 0.5, 1, Number.NaN, -5, 7, 'missing', 'wrong-kind'] as const
    expect(expected.filter((answer) => !answers.has(answer))).toEqual([])
    expect(new Set(sample.map(({ failure }) => failure))).toEqual(
      new Set(['none', 'null', 'throw']),
    )
  })

  it('answers the n-th question with the n-th answer, in circles', () => {
    const script = { failure: 'none', answers: [0.1, 'missing', 7] } as const
    expect([0, 1, 2, 3].map((question) => answerTo(script, question))).toEqual([
      0.1,
      'missing',
      7,
      0.1,
    ])
  })

  it('answers a named question alike whenever it is asked, and not every name alike', () => {
    const script = { failure: 'none', answers: [0, 0.25, 0.5, 0.75] } as const
    const names = Array.from({ length: 40 }, (_, index) => `message-${index}`)
    const once = names.map((name) => answerTo(script, name))
    const backwards = names.toReversed().map((name) => answerTo(script, name))
    expect(backwards.toReversed()).toEqual(once)
    expect(new Set(once)).toEqual(new Set([0, 0.25, 0.5, 0.75]))
  })
})
