import { describe, expect, it } from 'vitest'
import type { CompactRequest } from '../../../src/conversation/request.ts'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { openaiResponses } from '../../../src/formats/openai-responses/index.ts'
import { fakeSummarizer } from '../../helpers/fake-ports.ts'
import { compactWith, only, prose } from '../seeds/support.ts'

const user = (label: string): JsonObject => ({ role: 'user', content: prose(30, label) })
const says = (label: string): JsonObject => ({
  type: 'message',
  id: `msg_${label}`,
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: prose(40, label), annotations: [] }],
})
const thinks = (label: string): JsonObject => ({
  type: 'reasoning',
  id: `rs_${label}`,
  summary: [],
  encrypted_content: label.repeat(80),
})

/** Thinks, calls two tools at once, thinks again and answers: two responses of the model. */
const steps = (label: string): JsonObject[] => [
  thinks(`first-${label}`),
  ...['a', 'b'].map((name) => ({
    type: 'function_call',
    id: `fc_${name}_${label}`,
    call_id: `${name}_${label}`,
    name: 'look',
    arguments: '{}',
  })),
  ...['b', 'a'].map((name) => ({
    type: 'function_call_output',
    call_id: `${name}_${label}`,
    output: prose(60, `${name}${label}`),
  })),
  thinks(`second-${label}`),
  says(label),
]

const compaction: JsonObject = {
  type: 'compaction',
  id: 'cmp_1',
  encrypted_content: 'sealed'.repeat(100),
}

const input: readonly JsonObject[] = [
  user('task'),
  compaction,
  ...['one', 'two', 'three', 'four'].flatMap((label) => [user(label), ...steps(label)]),
  { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { query: 'q' } },
  says('found'),
  user('request'),
]

const compacted = (request: CompactRequest, summary?: string) =>
  compactWith(
    { format: 'openai-responses', input, ...request },
    summary === undefined ? {} : { summarize: fakeSummarizer([summary]) },
  )
const idsOf = (items: readonly unknown[]): unknown[] => items.map((item) => (item as JsonObject).id)

describe('compacting an input of the Responses API', () => {
  const targets = Array.from({ length: 30 }, (_, index) => 300 + index * 60)

  it.each(targets)('leaves it valid and reasoning with its items at %i tokens', async (target) => {
    const { messages, brokenRules, report } = await compacted({ targetTokens: target })
    expect(brokenRules).toEqual([])
    expect(openaiResponses.check({ input: [...messages] as JsonObject[] })).toEqual([])
    expect(messages).toContain(compaction)
    const ids = new Set(idsOf(messages))
    for (const label of ['one', 'two', 'three', 'four']) {
      const first = [`rs_first-${label}`, `fc_a_${label}`, `fc_b_${label}`].map((id) => ids.has(id))
      expect(new Set(first).size).toBe(1)
      expect(ids.has(`rs_second-${label}`)).toBe(ids.has(`msg_${label}`))
    }
    expect(report.tokensAfter).toBeLessThanOrEqual(report.tokensBefore)
  })

  it('takes the steps of a tool loop one by one', async () => {
    const results = await Promise.all(targets.map((targetTokens) => compacted({ targetTokens })))
    const left = results.map(({ messages }) => messages.length)
    expect(new Set(left).size).toBeGreaterThan(6)
  })

  it('changes nothing when it runs again', async () => {
    const first = await compacted({ targetTokens: 900 })
    const again = await compacted({ input: first.messages as JsonObject[], targetTokens: 900 })
    expect(first.report.outcome).not.toBe('unchanged')
    expect(again.messages).toEqual(first.messages)
  })

  it('writes a summary beside the compacted history, never in its place', async () => {
    const { messages, brokenRules, report } = await compacted(
      { targetTokens: 900, options: only('summarize') },
      'The user asked four things, and all were found.',
    )
    expect(brokenRules).toEqual([])
    expect(report.stagesUsed).toEqual(['summarize'])
    expect(messages).toContain(compaction)
    const texts = messages.map((item) => String((item as JsonObject).content))
    expect(texts.filter((text) => text.includes('four things'))).toHaveLength(1)
  })
})
