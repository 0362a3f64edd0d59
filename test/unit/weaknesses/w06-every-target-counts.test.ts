/** W6: theirs ignores its truncation fraction, so that four ever harder attempts are the same attempt. */
import { describe, expect, it } from 'vitest'
import { buildTestApp } from '../../helpers/build-app.ts'
import { expectProblem } from '../../helpers/expect-problem.ts'
import { chat, compactWith, conversation, sizeOf } from '../seeds/support.ts'

const MESSAGES = conversation(...chat(120))

describe('W6: a harder target', () => {
  it('is a different result each time, and each fits', async () => {
    const size = await sizeOf(MESSAGES)
    const sizes: number[] = []
    for (const share of [0.8, 0.6, 0.4, 0.2]) {
      const targetTokens = Math.floor(size * share)
      const { report } = await compactWith({ messages: MESSAGES, targetTokens })
      expect(report.tokensAfter).toBeLessThanOrEqual(targetTokens)
      sizes.push(report.tokensAfter)
    }
    expect(sizes).toEqual([...new Set(sizes)].sort((a, b) => b - a))
    expect(sizes).toHaveLength(4)
  })
})

describe('W6: an option that does nothing', () => {
  it('is not accepted in silence', async () => {
    const { app } = await buildTestApp()
    const payload = { messages: MESSAGES, options: { truncate: { truncationFraction: 0.5 } } }
    const response = await app.inject({ method: 'POST', url: '/compact', payload })
    const problem = expectProblem(response, 'invalid-request')
    expect(problem.errors).toMatchObject([{ pointer: '/options/truncate/truncationFraction' }])
    await app.close()
  })
})
