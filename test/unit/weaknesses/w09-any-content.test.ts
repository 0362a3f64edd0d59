/** W9: theirs throws on `content: null` and on arrays, and shows a summariser "[object Object]". */
import { describe, expect, it } from 'vitest'
import type { OptionOverrides } from '../../../src/engine/options.ts'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { fakeSummarizer } from '../../helpers/fake-ports.ts'
import type { SampledFormat } from '../../helpers/sample-conversation.ts'
import { newFaults } from '../../helpers/wire-rules/index.ts'
import { chat, compactWith, conversation, judge, prose, user } from '../seeds/support.ts'

const text = (content: string): JsonObject => ({ type: 'text', text: content })

/** The odd contents of each format, in turns that the provider takes. */
const ODD: Readonly<Record<SampledFormat, readonly JsonObject[]>> = {
  'openai-chat': [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'run', arguments: '{"a":1}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: [text(prose(80, 'output'))] },
    { role: 'assistant', content: [text(prose(40, 'blocks'))] },
    { role: 'user', content: [text(prose(40, 'question')), text('And one more.')] },
    { role: 'assistant', content: null, refusal: 'No.' },
  ],
  'anthropic-messages': [
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'run', input: { a: 1 } }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'c1', content: [text(prose(80, 'output'))] }],
    },
    { role: 'assistant', content: [text(prose(40, 'blocks'))] },
    { role: 'user', content: [text(prose(40, 'question')), text('And one more.')] },
    { role: 'assistant', content: [text('Yes.')] },
  ],
  neurolink: [
    { role: 'tool_call', content: null, tool: 'run', args: { a: 1 } },
    { role: 'tool_result', content: [text(prose(80, 'output'))], tool: 'run' },
    { role: 'assistant', content: [text(prose(40, 'blocks'))] },
    { role: 'user', content: [text(prose(40, 'question')), text('And one more.')] },
    { role: 'tool_call', tool: 'run', args: {} },
    {
      role: 'tool_result',
      content: null,
      tool: 'run',
      result: { success: true, result: { n: 1 } },
    },
    { role: 'assistant', content: 'Yes.' },
  ],
}

describe('W9: contents that are null or arrays', () => {
  it.each(Object.keys(ODD) as SampledFormat[])('pass through every stage in %s', async (format) => {
    const middle = Array.from({ length: 6 }, () => ODD[format]).flat()
    const plain = renumbered([
      user('The task.'),
      { role: 'assistant', content: 'Well.' },
      ...chat(8),
      ...middle,
      ...chat(7),
    ])
    const messages = format === 'neurolink' ? conversation(...plain) : plain
    const base = { format, messages } as const
    const { tokensBefore, floor } = (await compactWith({ ...base, targetTokens: 1e9 })).report
    const optionsOf = (isPruning: boolean): OptionOverrides => ({
      prune: { enabled: isPruning, protectTokens: 100, minimumSavings: 0 },
      collapse: { enabled: !isPruning },
      protectRecent: 4,
    })
    const statuses = new Set<string>()
    for (const share of [0.95, 0.8, 0.6, 0.4, 0.2, 0]) {
      const targetTokens = Math.ceil(floor.tokens + (tokensBefore - floor.tokens) * share)
      const summarize = fakeSummarizer(['1. Primary Request and Intent: run.', new Error('down')])
      for (const models of [{ decide: judge(0.1), summarize }, { decide: judge(0.1) }, {}]) {
        const options = optionsOf(models.decide !== undefined)
        const result = await compactWith({ ...base, targetTokens, options }, models)
        expect(result.report.fits).toBe(true)
        const left = { messages: result.messages as JsonObject[] }
        expect(newFaults(format, { messages }, left)).toEqual([])
        for (const { stage, status } of result.report.stages) statuses.add(`${stage} ${status}`)
      }
      for (const { input } of summarize.requests) {
        expect(input).not.toContain('[object Object]')
        expect(input).not.toMatch(/\bundefined\b/)
      }
    }
    expect([...statuses].filter((status) => status.endsWith('failed'))).toEqual([])
    for (const stage of ['relevance', 'prune', 'deduplicate', 'summarize', 'truncate']) {
      expect(statuses).toContain(`${stage} applied`)
    }
  })
})

/** The same turns again and again need ids of their own. */
function renumbered(messages: readonly JsonObject[]): JsonObject[] {
  let calls = 0
  return messages.map((message): JsonObject => {
    const isCall = JSON.stringify(message).match(/"(tool_calls|tool_use)"/)
    if (isCall) calls += 1
    return JSON.parse(JSON.stringify(message).replaceAll('"c1"', `"c${calls}"`)) as JsonObject
  })
}
