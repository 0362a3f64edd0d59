import { describe, expect, test } from 'vitest'
import { halveLimits, scaleLimits } from '../../../src/decide/limits.ts'
import { systemOneWire } from '../../../src/decide/wires/systemone.ts'
import type { PackedRequest } from '../../../src/decide/wires/wire.ts'

const countTokens = (text: string) => text.length
const limits = {
  ...systemOneWire.limits,
  maxStateAndLongestQuestionTokens: 1_000,
  maxTotalTokens: 2_000,
}
const packed = (length: number): PackedRequest => ({
  questions: [{ id: 'q0', kind: 'boolean', instructions: 'Needed?' }],
  state: {
    fields: [],
    recent: [],
    documents: [{ id: 'm0', role: 'user', text: 'x'.repeat(length) }],
  },
})

describe('limits', () => {
  test('are scaled in tokens and not in questions', () => {
    expect(scaleLimits(limits, 0.9)).toEqual({
      ...limits,
      maxStateAndLongestQuestionTokens: 900,
      maxTotalTokens: 1_800,
    })
  })

  test('are halved from what the refused request held, where that was less than allowed', () => {
    const halved = halveLimits(packed(100), { wire: systemOneWire, limits, countTokens })
    const state = systemOneWire.rendering.stateText(packed(100).state).length + 261
    const question = systemOneWire.rendering.questionText({
      id: 'q0',
      kind: 'boolean',
      instructions: 'Needed?',
    }).length
    const held = state + question + 8
    expect(held).toBeLessThan(1_000)
    expect(halved.maxStateAndLongestQuestionTokens).toBe(Math.floor(held / 2))
    expect(halved.maxTotalTokens).toBe(Math.floor(held / 2))
  })

  test('are halved from what is allowed, where the request held more', () => {
    const halved = halveLimits(packed(50_000), { wire: systemOneWire, limits, countTokens })
    expect(halved.maxStateAndLongestQuestionTokens).toBe(500)
    expect(halved.maxTotalTokens).toBe(1_000)
  })
})
