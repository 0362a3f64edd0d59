/** What NeuroLink's tests assert of its token accounting. */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { assistant, conversation, prose, sizeOf, toolExchange, user } from '../seeds/support.ts'

/** Tokens that the message adds to a conversation. */
async function costOf(message: JsonObject): Promise<number> {
  const base = [user('Hello.')]
  return (await sizeOf([...base, message])) - (await sizeOf(base))
}

const args = (characters: number): JsonObject => ({
  code: 'const rate = 3; '.repeat(characters / 16),
})

describe('NeuroLink asserts of token accounting', () => {
  it('that 39 KB of arguments on a call without content cost more than 5,000 tokens', async () => {
    const call = { role: 'tool_call', content: '', tool: 'write', args: args(39 * 1024) }
    expect(await costOf(call)).toBeGreaterThan(5_000)
  })

  it('that arguments of 20k cost more than five times those of 1k', async () => {
    const costs = []
    for (const size of [20_480, 1_024]) {
      costs.push(await costOf({ role: 'tool_call', content: '', tool: 'write', args: args(size) }))
    }
    expect(costs[0]).toBeGreaterThan(5 * (costs[1] ?? 0))
  })

  it('that a plain sentence costs 1 to 49 tokens', async () => {
    const cost = await costOf(assistant('The importer is ready; it takes batches of 500 rows.'))
    expect(cost).toBeGreaterThanOrEqual(1)
    expect(cost).toBeLessThan(50)
  })

  it('that the error of a result is counted', async () => {
    const [, bare = {}] = toolExchange('run', {}, 'failed')
    const error = prose(800, 'stack').slice(0, 4_000)
    const grown =
      (await costOf({ ...bare, result: { success: false, error } })) - (await costOf(bare))
    expect(grown).toBeGreaterThan(500)
  })

  it('that a result which repeats the content is not billed twice', async () => {
    const output = prose(500, 'output')
    const [, bare = {}] = toolExchange('run', {}, output)
    expect(await costOf({ ...bare, result: { success: true, result: output } })).toBe(
      await costOf(bare),
    )
  })

  it('that the total of a conversation includes arguments', async () => {
    const [call = {}, result = {}] = toolExchange('write', args(4_096), 'ok')
    const whole = await sizeOf(conversation(user('Write it.'), call, result))
    const without = await sizeOf(conversation(user('Write it.'), { ...call, args: {} }, result))
    expect(whole - without).toBeGreaterThan(700)
  })
})
