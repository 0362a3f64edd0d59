/**
 * The types of the official clients take what comes back: the list keeps its type, and each shape that
 * compaction writes (a marker, a summary, a cleared result, a note) is spelled out here as a value of
 * the client's own type and compared with what was written.
 */
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'
import type { Content } from '@google/genai'
import type { ModelMessage } from 'ai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import { describe, expect, it } from 'vitest'
import type { CompactInput } from '../../../src/index.ts'
import { createPrecis, type SummarizePort } from '../../../src/index.ts'

const LONG = 'A line of output that nobody reads twice.\n'.repeat(120)
const MARKER = /^\[\d+ earlier messages? truncated to fit the context window\]$/
const CLEARED = '[Tool result cleared: run]'
const SUMMARY = '[Previous conversation summary]:\n\n1. Primary Request and Intent: build it.'

const SUMMARIZER: SummarizePort = {
  model: 'writer',
  maxInputTokens: 100_000,
  summarize: async () => ({
    ok: true,
    text: '1. Primary Request and Intent: build it.',
    model: 'writer',
    toolCalls: false,
    refused: false,
    truncated: false,
    latencyMs: 1,
  }),
}

const precis = createPrecis({ decide: null, summarize: SUMMARIZER })

const ONLY = {
  relevance: { enabled: false },
  deduplicate: { enabled: false },
  prune: { enabled: false },
  summarize: { enabled: false },
  truncate: { enabled: false },
}

const CUTS = {
  truncate: { ...ONLY, protectRecent: 2, truncate: { enabled: true } },
  summarize: { ...ONLY, protectRecent: 2, summarize: { enabled: true } },
  prune: {
    ...ONLY,
    protectRecent: 2,
    prune: { enabled: true, protectTokens: 0, minimumSavings: 0 },
  },
} as const

/** The conversation cut by one stage alone, to a target that this stage can meet. */
async function cut<Input extends CompactInput>(request: Input, stage: keyof typeof CUTS) {
  const options = CUTS[stage]
  const { tokensBefore } = await precis.compact({ ...request, targetTokens: 1e9 })
  const targetTokens = Math.floor(tokensBefore * 0.6)
  const result = await precis.compact({ ...request, targetTokens, options })
  expect(result).toMatchObject({ fits: true, stagesUsed: [stage], violationCount: 0 })
  return result
}

const turns = <Message>(turn: (number: number) => Message[]): Message[] =>
  Array.from({ length: 8 }, (_, number) => turn(number)).flat()

describe('openai: ChatCompletionMessageParam', () => {
  const messages: ChatCompletionMessageParam[] = [
    { role: 'developer', content: 'Be brief.' },
    { role: 'user', content: 'Build it.' },
    ...turns((number): ChatCompletionMessageParam[] => [
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: `c${number}`, type: 'function', function: { name: 'run', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: `c${number}`, content: LONG },
    ]),
    { role: 'user', content: 'And now?' },
  ]

  it('takes what every stage writes', async () => {
    const truncated: ChatCompletionMessageParam[] = (await cut({ messages }, 'truncate')).messages
    const marker = { role: 'user', content: expect.stringMatching(MARKER) } as const
    expect(truncated[2]).toEqual(marker satisfies ChatCompletionMessageParam)
    const summarized: ChatCompletionMessageParam[] = (await cut({ messages }, 'summarize')).messages
    const summary = { role: 'user', content: SUMMARY } as const
    expect(summarized[2]).toEqual(summary satisfies ChatCompletionMessageParam)
    const pruned: ChatCompletionMessageParam[] = (await cut({ messages }, 'prune')).messages
    const result = { role: 'tool', tool_call_id: 'c0', content: CLEARED } as const
    expect(pruned[3]).toEqual(result satisfies ChatCompletionMessageParam)
  })
})

describe('openai: ResponseInputItem', () => {
  const input: ResponseInputItem[] = [
    { role: 'user', content: 'Build it.' },
    ...turns((number): ResponseInputItem[] => [
      { type: 'reasoning', id: `rs_${number}`, summary: [], encrypted_content: 'c2VhbGVk' },
      { type: 'function_call', call_id: `c${number}`, name: 'run', arguments: '{}' },
      { type: 'function_call_output', call_id: `c${number}`, output: LONG },
    ]),
    { role: 'user', content: 'And now?' },
  ]

  it('takes what every stage writes', async () => {
    const truncated: ResponseInputItem[] = (await cut({ input }, 'truncate')).input
    const marker = {
      type: 'message',
      role: 'user',
      content: expect.stringMatching(MARKER),
    } as const
    expect(truncated[1]).toEqual(marker satisfies ResponseInputItem)
    const summarized: ResponseInputItem[] = (await cut({ input }, 'summarize')).input
    const summary = { type: 'message', role: 'user', content: SUMMARY } as const
    expect(summarized[1]).toEqual(summary satisfies ResponseInputItem)
    const pruned: ResponseInputItem[] = (await cut({ input }, 'prune')).input
    const result = { type: 'function_call_output', call_id: 'c0', output: CLEARED } as const
    expect(pruned[3]).toEqual(result satisfies ResponseInputItem)
  })
})

describe('@anthropic-ai/sdk: MessageParam', () => {
  const messages: MessageParam[] = [
    { role: 'user', content: 'Build it.' },
    ...turns((number): MessageParam[] => [
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'c2lnbmVk' },
          { type: 'tool_use', id: `toolu_${number}`, name: 'run', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: `toolu_${number}`,
            content: [{ type: 'text', text: LONG }],
          },
        ],
      },
    ]),
    { role: 'assistant', content: 'Done.' },
    { role: 'user', content: 'And now?' },
  ]
  const request = { model: 'claude-sonnet-4', messages }

  it('takes what every stage writes', async () => {
    const truncated: MessageParam[] = (await cut(request, 'truncate')).messages
    const marker = { role: 'user', content: expect.stringMatching(MARKER) } as const
    expect(truncated[1]).toEqual(marker satisfies MessageParam)
    const summarized: MessageParam[] = (await cut(request, 'summarize')).messages
    expect(summarized[1]).toEqual({ role: 'user', content: SUMMARY } satisfies MessageParam)
    const pruned: MessageParam[] = (await cut(request, 'prune')).messages
    const result: MessageParam = {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_0',
          content: [{ type: 'text', text: CLEARED }],
        },
      ],
    }
    expect(pruned[2]).toEqual(result)
  })
})

describe('@google/genai: Content', () => {
  const contents: Content[] = [
    { role: 'user', parts: [{ text: 'Build it.' }] },
    ...turns((number): Content[] => [
      {
        role: 'model',
        parts: [
          { functionCall: { id: `f${number}`, name: 'run', args: {} }, thoughtSignature: 'c2ln' },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: `f${number}`, name: 'run', response: { output: LONG } } },
        ],
      },
    ]),
    { role: 'user', parts: [{ text: 'And now?' }] },
  ]
  const request = { model: 'gemini-3-pro', contents }

  it('takes what every stage writes', async () => {
    const truncated: Content[] = (await cut(request, 'truncate')).contents
    const marker: Content = { role: 'user', parts: [{ text: expect.stringMatching(MARKER) }] }
    expect(truncated[1]).toEqual(marker)
    const summarized: Content[] = (await cut(request, 'summarize')).contents
    expect(summarized[1]).toEqual({ role: 'user', parts: [{ text: SUMMARY }] } satisfies Content)
    const pruned: Content[] = (await cut(request, 'prune')).contents
    const result: Content = {
      role: 'user',
      parts: [{ functionResponse: { id: 'f0', name: 'run', response: { output: CLEARED } } }],
    }
    expect(pruned[2]).toEqual(result)
  })
})

describe('ai: ModelMessage', () => {
  const messages: ModelMessage[] = [
    { role: 'user', content: 'Build it.' },
    ...turns((number): ModelMessage[] => [
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 'c2ln' } } },
          { type: 'tool-call', toolCallId: `c${number}`, toolName: 'run', input: {} },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: `c${number}`,
            toolName: 'run',
            output: { type: 'text', value: LONG },
          },
        ],
      },
    ]),
    { role: 'user', content: 'And now?' },
  ]

  it('takes what every stage writes', async () => {
    const truncated: ModelMessage[] = (await cut({ messages }, 'truncate')).messages
    const marker: ModelMessage = { role: 'user', content: expect.stringMatching(MARKER) }
    expect(truncated[1]).toEqual(marker)
    const summarized: ModelMessage[] = (await cut({ messages }, 'summarize')).messages
    expect(summarized[1]).toEqual({ role: 'user', content: SUMMARY } satisfies ModelMessage)
    const pruned: ModelMessage[] = (await cut({ messages }, 'prune')).messages
    const result: ModelMessage = {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'c0',
          toolName: 'run',
          output: { type: 'text', value: CLEARED },
        },
      ],
    }
    expect(pruned[2]).toEqual(result)
  })
})
