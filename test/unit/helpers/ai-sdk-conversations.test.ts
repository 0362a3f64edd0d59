import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeAiSdk } from '../../helpers/arbitraries/ai-sdk.ts'
import { scenario } from '../../helpers/arbitraries/scenario.ts'
import { findAiSdkFaults } from '../../helpers/wire-rules/ai-sdk.ts'
import { findAiSdkChanges } from '../../helpers/wire-rules/ai-sdk-changes.ts'
import { aiSdkTraitsOf } from './ai-sdk-traits.ts'

const RUNS = { numRuns: 250, seed: 20_261_130 }

const conversations = scenario().map(writeAiSdk)

describe('generated ai-sdk conversations', () => {
  it('break no rule, and a change to nothing changes no reasoning', () => {
    fc.assert(
      fc.property(conversations, (payload) => {
        expect(findAiSdkFaults(payload)).toEqual([])
        expect(findAiSdkChanges(payload, payload)).toEqual([])
      }),
      RUNS,
    )
  })

  it('hold each trait often enough to be met in every run', () => {
    const shares = shareOf(fc.sample(conversations, RUNS).map(aiSdkTraitsOf))
    const rare = Object.entries(LEAST).filter(([trait, least]) => (shares.get(trait) ?? 0) < least)
    expect(rare.map(([trait]) => [trait, shares.get(trait)])).toEqual([])
  })

  it('lose a seal that is cut by the oracle of changes', () => {
    let cuts = 0
    fc.assert(
      fc.property(conversations, (payload) => {
        const text = JSON.stringify(payload)
        const cut = JSON.parse(text.replace(/("(?:s|thoughtS)ignature":")Eq/, '$1'))
        if (JSON.stringify(cut) === text) return
        cuts += 1
        expect(findAiSdkChanges(payload, cut).map(({ rule }) => rule)).toEqual(['sealed-changed'])
      }),
      { ...RUNS, numRuns: 200 },
    )
    expect(cuts).toBeGreaterThan(100)
  })
})

/** Least share of conversations with a trait, some way below what was measured. */
const LEAST: Readonly<Record<string, number>> = {
  'string of system': 0.28,
  'string of user': 0.44,
  'text of assistant': 0.53,
  'cache control': 0.4,
  'unknown members': 0.51,
  'text of user': 0.53,
  'tool-call of assistant': 0.47,
  'output text': 0.4,
  'output json': 0.3,
  'output content': 0.31,
  'output with media': 0.13,
  'output with image-data': 0.13,
  'output with file-data': 0.13,
  'empty output': 0.18,
  'null output': 0.13,
  'parallel calls': 0.39,
  'pending tail': 0.2,
  'partly answered tail': 0.07,
  'image of user': 0.2,
  'file of user': 0.26,
  'file of assistant': 0.17,
  'reasoning of assistant': 0.49,
  'reasoning-file of assistant': 0.1,
  'custom of assistant': 0.04,
  'tool-approval-request of assistant': 0.23,
  'x_note of assistant': 0.17,
  'tool-approval-response': 0.23,
  'output error-text': 0.17,
  'output error-json': 0.11,
  signature: 0.35,
  'redacted reasoning': 0.32,
  'encrypted reasoning': 0.3,
  'signed call': 0.22,
  'answered approval of a pending call': 0.01,
  'ends with results': 0.09,
  'string of assistant': 0.19,
  'x_widget of user': 0.23,
  'big integer': 0.26,
  'system option': 0.13,
  'answers in several messages': 0.14,
  'tool-result of assistant': 0.14,
  'provider-executed call': 0.14,
  'later system message': 0.06,
  'output execution-denied': 0.02,
  'pending approval': 0.01,
}

function shareOf(samples: readonly ReadonlySet<string>[]): Map<string, number> {
  const shares = new Map<string, number>()
  for (const trait of samples.flatMap((traits) => [...traits])) {
    shares.set(trait, (shares.get(trait) ?? 0) + 1 / samples.length)
  }
  return shares
}
