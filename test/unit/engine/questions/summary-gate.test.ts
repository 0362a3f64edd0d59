import { describe, expect, it } from 'vitest'
import type { Answer } from '../../../../src/engine/ports.ts'
import {
  GATE_QUESTIONS,
  gateState,
  readGate,
} from '../../../../src/engine/questions/summary-gate.ts'
import { toAnswers } from '../../../helpers/fake-ports.ts'

const gate = (script: Record<string, number | Answer>, bar = 0.6) =>
  readGate(toAnswers(script), bar)

describe('readGate', () => {
  it.each([
    [0.9, 0.1, true],
    [0.21, 0.79, true],
    [0.2, 0.1, false],
    [0.9, 0.8, false],
    [0, 1, false],
    [0.5, 0.5, true],
  ])('of preserves %d and is_refusal %d says accepted: %s', (preserves, isRefusal, accepted) => {
    expect(gate({ preserves, is_refusal: isRefusal }).accepted).toBe(accepted)
  })

  it('is raised by a higher bar', () => {
    expect(gate({ preserves: 0.2, is_refusal: 0.1 }, 0.9).accepted).toBe(true)
    expect(gate({ preserves: 0.05, is_refusal: 0.1 }, 0.9).accepted).toBe(false)
  })

  it('rejects on one confident answer where the other is missing', () => {
    expect(gate({ is_refusal: 0.95 })).toEqual({
      accepted: false,
      isRefusal: { probability: 0.95, confidence: expect.closeTo(0.9) },
    })
    expect(gate({ preserves: 0.05 }).accepted).toBe(false)
  })

  it('accepts what it could not judge, and says so', () => {
    expect(gate({})).toEqual({ accepted: true, failOpen: 'unanswered' })
    expect(gate({ preserves: Number.NaN, is_refusal: 7 })).toEqual({
      accepted: true,
      failOpen: 'unanswered',
    })
  })
})

describe('the gate’s questions', () => {
  it('are two booleans about the summary, with the originals as documents', () => {
    expect(GATE_QUESTIONS.map(({ id, kind }) => [id, kind])).toEqual([
      ['preserves', 'boolean'],
      ['is_refusal', 'boolean'],
    ])
    const originals = [{ id: 'original__0', role: 'user', text: 'hello' } as const]
    expect(gateState('gist', originals)).toEqual({
      fields: { summary: 'gist' },
      recent: [],
      documents: originals,
    })
  })
})
