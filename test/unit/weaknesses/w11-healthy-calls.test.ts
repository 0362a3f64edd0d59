/** W11: theirs "repairs" healthy parallel calls: 3,334 results that no tool gave in a log of 20,000 messages. */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { compactWith, conversation, prose, user } from '../seeds/support.ts'

function parallelLog(turns: number): JsonObject[] {
  return conversation(
    user('Watch the build.'),
    ...Array.from({ length: turns }, (_, turn): JsonObject[] => [
      { role: 'tool_call', content: '', tool: 'poll', args: { turn } },
      { role: 'tool_call', content: '', tool: 'list', args: { turn } },
      { role: 'tool_result', content: `passed ${turn}`, tool: 'poll' },
      { role: 'tool_result', content: `listed ${turn}`, tool: 'list' },
      { role: 'assistant', content: `Step ${turn} is fine.` },
      user(`And step ${turn + 1}?`),
    ]).flat(),
  )
}

const countRole = (messages: readonly unknown[], role: string): number =>
  messages.filter((message) => (message as JsonObject).role === role).length

describe('W11: a healthy log of parallel calls', () => {
  const messages = parallelLog(3_334)

  it('of 20,000 messages comes back as it is, without a warning', async () => {
    const { report, messages: returned } = await compactWith({ messages, targetTokens: 1e9 })
    expect(messages.length).toBeGreaterThan(20_000)
    expect(returned).toBe(messages)
    expect(report.warnings).toEqual([])
  })

  it('gains no result when it is compacted, and each that is left is one that a tool gave', async () => {
    const { report, messages: returned } = await compactWith({ messages, targetTokens: 60_000 })
    expect(report).toMatchObject({ outcome: 'compacted', fits: true })
    expect(countRole(returned, 'tool_call')).toBe(countRole(returned, 'tool_result'))
    const posted = new Set(messages)
    const added = returned.filter((message) => !posted.has(message as JsonObject))
    expect(added).toEqual([expect.objectContaining({ isTruncationMarker: true })])
  })
})

describe('W11: pairs that do not fit together', () => {
  it('are told: one call with three results, and a result of another call', async () => {
    const broken = conversation(
      user('Run it.'),
      { role: 'tool_call', content: '', tool: 'run', toolCallId: 'a' },
      ...['1', '2', '3'].map((content) => ({
        role: 'tool_result',
        content,
        tool: 'run',
        toolCallId: 'a',
      })),
      { role: 'tool_call', content: '', tool: 'run', toolCallId: 'b' },
      { role: 'tool_result', content: prose(9, 'x'), tool: 'run', toolCallId: 'c' },
      user('Go on.'),
    )
    const { report, messages: returned } = await compactWith({
      messages: broken,
      targetTokens: 1e9,
    })
    expect(returned).toBe(broken)
    expect(report.warnings.map(({ code }) => code).sort()).toEqual([
      'duplicate-tool-result',
      'duplicate-tool-result',
      'orphan-tool-result',
      'unanswered-tool-call',
    ])
  })
})
