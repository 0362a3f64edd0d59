import { describe, expect, it } from 'vitest'
import type { OptionOverrides } from '../../../src/engine/options.ts'
import { chat, compactWith, conversation, goneIds, judge, only, sizeOf, user } from './support.ts'

/** `eligible` messages that may go, from number 1 on, between the task and six recent ones. */
function withEligible(eligible: number) {
  return conversation(user('The task.'), ...chat(eligible + 6))
}

async function run(
  eligible: number,
  probabilities: Readonly<Record<number, number>>,
  otherwise: number,
  relevance: NonNullable<OptionOverrides['relevance']> = {},
) {
  const messages = withEligible(eligible)
  const result = await compactWith(
    {
      messages,
      targetTokens: (await sizeOf(messages)) - 1,
      options: { ...only('relevance'), relevance },
    },
    { decide: judge(otherwise, probabilities) },
  )
  return { gone: goneIds(messages, result), report: result.report.relevance }
}

const ids = (...numbers: readonly number[]) => numbers.map((number) => `m${number}`)

describe('seed 0: the drop cap', () => {
  it.each([
    [10, 5],
    [9, 4],
    [3, 1],
    [2, 1],
  ])('lets half of %i flagged messages go, rounded down: %i', async (eligible, dropped) => {
    const { gone, report } = await run(eligible, {}, 0.01)
    expect(gone).toHaveLength(dropped)
    expect(report).toMatchObject({ asked: eligible, flagged: eligible, dropped, capHit: true })
  })

  it('lets a single eligible message never go', async () => {
    expect((await run(1, {}, 0)).gone).toEqual([])
  })

  it('spares the newest of the flagged when it binds', async () => {
    const { gone } = await run(8, { 2: 0.9, 5: 0.9 }, 0.01)
    // Flagged are 1, 3, 4, 6, 7 and 8; four of eight may go.
    expect(gone).toEqual(ids(1, 3, 4, 6))
  })

  it('goes by age and not by how sure the model is, as long as the order is the seed’s', async () => {
    const { gone, report } = await run(4, { 1: 0.19, 2: 0.19, 3: 0.01, 4: 0.01 }, 1)
    expect(report?.order).toBe('oldest-first')
    expect(gone).toEqual(ids(1, 2))
  })

  it('does not bind when as many are flagged as it lets go', async () => {
    const { gone, report } = await run(8, { 5: 0.01, 6: 0.01, 7: 0.01, 8: 0.01 }, 0.9)
    expect(gone).toEqual(ids(5, 6, 7, 8))
    expect(report?.capHit).toBe(false)
  })

  it('counts the messages that were asked about, not those that were flagged', async () => {
    const { gone } = await run(8, { 1: 0.01, 2: 0.01, 3: 0.01 }, 0.9)
    expect(gone).toEqual(ids(1, 2, 3))
  })

  it.each([
    [0.25, ids(1, 2)],
    [0.1, []],
    [0, []],
    [1, ids(1, 2, 3, 4, 5, 6, 7, 8)],
  ])('follows the ratio that the caller sets (%d)', async (maxDropRatio, gone) => {
    expect((await run(8, {}, 0.01, { maxDropRatio })).gone).toEqual(gone)
  })

  it('drops every flagged message up to the cap, also where fewer would meet the target', async () => {
    const { gone } = await run(8, {}, 0.01)
    expect(gone).toEqual(ids(1, 2, 3, 4))
  })

  it('leaves what is over the cap to positional truncation', async () => {
    const messages = withEligible(10)
    const size = await sizeOf(messages)
    const result = await compactWith(
      { messages, targetTokens: Math.floor(size * 0.6) },
      { decide: judge(0.01) },
    )
    expect(result.report.stagesUsed).toEqual(['relevance', 'truncate'])
    expect(result.report.drops).toEqual([
      { stage: 'relevance', reason: 'not-needed', count: 5 },
      expect.objectContaining({ stage: 'truncate', reason: 'oldest' }),
    ])
  })
})
