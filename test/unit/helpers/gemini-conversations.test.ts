import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeGemini } from '../../helpers/arbitraries/gemini.ts'
import { scenario } from '../../helpers/arbitraries/scenario.ts'
import { findGeminiFaults } from '../../helpers/wire-rules/gemini.ts'
import { findGeminiChanges } from '../../helpers/wire-rules/gemini-changes.ts'
import { geminiTraitsOf } from './gemini-traits.ts'

const RUNS = { numRuns: 250, seed: 20_261_130 }

const conversations = scenario().map(writeGemini)

describe('generated gemini conversations', () => {
  it('break no rule, and a change to nothing changes no signature', () => {
    fc.assert(
      fc.property(conversations, (payload) => {
        expect(findGeminiFaults(payload)).toEqual([])
        expect(findGeminiChanges(payload, payload)).toEqual([])
      }),
      RUNS,
    )
  })

  it('hold each trait often enough to be met in every run', () => {
    const shares = shareOf(fc.sample(conversations, RUNS).map(geminiTraitsOf))
    const rare = Object.entries(LEAST).filter(([trait, least]) => (shares.get(trait) ?? 0) < least)
    expect(rare.map(([trait]) => [trait, shares.get(trait)])).toEqual([])
  })

  it('lose a signature that is cut by the oracle of changes', () => {
    let cuts = 0
    fc.assert(
      fc.property(conversations, (payload) => {
        const text = JSON.stringify(payload)
        const cut = JSON.parse(text.replace(/("thought_?[sS]ignature":")Ci/, '$1'))
        if (JSON.stringify(cut) === text) return
        cuts += 1
        expect(findGeminiChanges(payload, cut).map(({ rule }) => rule)).toEqual(['sealed-changed'])
      }),
      { ...RUNS, numRuns: 200 },
    )
    expect(cuts).toBeGreaterThan(100)
  })
})

/** Least share of conversations with a trait, some way below what was measured. */
const LEAST: Readonly<Record<string, number>> = {
  camelCase: 0.38,
  'system instruction': 0.44,
  'unknown members': 0.5,
  snake_case: 0.33,
  'Gemini 3': 0.22,
  'parallel calls': 0.4,
  'responses with an id of their own': 0.08,
  'reused call ids': 0.08,
  'no reused call ids': 0.3,
  'calls with id': 0.43,
  'responses by id': 0.41,
  'media in a response': 0.21,
  'empty response': 0.23,
  'signed call': 0.43,
  'unsigned call': 0.32,
  'inline data of the user': 0.4,
  'pending tail': 0.2,
  'partly answered tail': 0.07,
  'no role': 0.33,
  'role function': 0.23,
  'calls without id': 0.32,
  'calls with and without id beside each other': 0.17,
  'calls of one name without id': 0.15,
  'responses by name': 0.32,
  'media beside responses': 0.14,
  'error response': 0.22,
  'signed text': 0.42,
  'signed empty text': 0.22,
  thought: 0.46,
  'signed thought': 0.34,
  'file data': 0.23,
  'server tool': 0.04,
  'unknown part': 0.29,
  'ends with responses': 0.08,
  'both spellings': 0.12,
  'call without args': 0.16,
  'big integer': 0.31,
  'no model': 0.11,
  code: 0.14,
  'code with id': 0.08,
  'responses without the id of their call': 0.03,
  'two results of one code': 0.02,
}

function shareOf(samples: readonly ReadonlySet<string>[]): Map<string, number> {
  const shares = new Map<string, number>()
  for (const trait of samples.flatMap((traits) => [...traits])) {
    shares.set(trait, (shares.get(trait) ?? 0) + 1 / samples.length)
  }
  return shares
}
