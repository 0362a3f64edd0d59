import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import {
  askedMessages,
  assistant,
  chat,
  compactWith,
  conversation,
  goneIds,
  judge,
  only,
  prose,
  sizeOf,
  system,
  toolExchange,
  user,
} from './support.ts'

/** Two plain messages around the ones under test, which begin at number 2; six recent ones after. */
function around(...middle: readonly JsonObject[]): JsonObject[] {
  return conversation(user('The task.'), assistant(prose(40, 'plan')), ...middle, ...chat(6))
}

/** A model that needs nothing at all, with every cap lifted: what is kept was never eligible. */
async function judgeAll(messages: JsonObject[]) {
  const decide = judge(0)
  const result = await compactWith(
    {
      messages,
      targetTokens: (await sizeOf(messages)) - 1,
      options: { ...only('relevance'), relevance: { maxDropRatio: 1, riskBudget: null } },
    },
    { decide },
  )
  return { asked: askedMessages(decide), gone: goneIds(messages, result) }
}

const IMAGE = { type: 'image', image: 'iVBORw0KGgo=', mediaType: 'image/png' }

describe('seed 0: what may be dropped for relevance', () => {
  it('is text of the user and of the assistant', async () => {
    const messages = around(user('By the way, hello.'), assistant('Hello!'))
    expect(await judgeAll(messages)).toEqual({ asked: [1, 2, 3], gone: ['m1', 'm2', 'm3'] })
  })

  it('is text in blocks as well', async () => {
    const messages = around({ role: 'user', content: [{ type: 'text', text: 'In a block.' }] })
    expect(await judgeAll(messages)).toEqual({ asked: [1, 2], gone: ['m1', 'm2'] })
  })

  it('is a message whose events are an empty list', async () => {
    const messages = around(assistant('Done.', { events: [] }))
    expect(await judgeAll(messages)).toEqual({ asked: [1, 2], gone: ['m1', 'm2'] })
  })

  // Seed 0, the bullets of eligibility; seed 4 lists the same as vetoes.
  it.each<[string, readonly JsonObject[]]>([
    ['a tool call with its result', toolExchange('run', { step: 1 }, 'ok')],
    ['a tool call that waits for its result', [{ role: 'tool_call', content: '', tool: 'run' }]],
    ['a system message in the middle', [system('Answer in French.')]],
    ['an empty text', [assistant('')]],
    ['a text of nothing but white space', [assistant(' \n\t ')]],
    ['a message without content', [{ role: 'assistant', content: null }]],
    ['a message of an image alone', [{ role: 'user', content: [IMAGE] }]],
    [
      'a text with an image beside it',
      [{ role: 'user', content: [{ type: 'text', text: 'See.' }, IMAGE] }],
    ],
    ['a summary', [user('Earlier: all of it.', { metadata: { isSummary: true } })]],
    ['a pinned skill', [user('How to deploy.', { metadata: { isSkill: true } })]],
    ['a text that names a tool', [assistant('I ran it.', { tool: 'run' })]],
    ['a text that answers a call', [assistant('I ran it.', { toolCallId: 'call-1' })]],
    ['a text with events', [assistant('I ran it.', { events: [{ type: 'tool:start' }] })]],
    ['a truncation marker', [user('[earlier text is gone]', { isTruncationMarker: true })]],
    ['a condensed placeholder', [user('(condensed)', { condenseParent: 'condense-1' })]],
    ['a truncated placeholder', [user('(truncated)', { truncationParent: 'truncation-1' })]],
  ])('is never %s', async (_, middle) => {
    expect(await judgeAll(around(...middle))).toEqual({ asked: [1], gone: ['m1'] })
  })

  it('is not the first task, nor what the caller pins', async () => {
    const messages = around(user('Keep me.'), user('And let me go.'))
    const decide = judge(0)
    const result = await compactWith(
      {
        messages,
        pins: ['m2'],
        targetTokens: (await sizeOf(messages)) - 1,
        options: { ...only('relevance'), relevance: { maxDropRatio: 1 } },
      },
      { decide },
    )
    expect(goneIds(messages, result)).toEqual(['m1', 'm3'])
  })

  it('stops at six recent messages, whatever the model says of them', async () => {
    const messages = conversation(user('The task.'), ...chat(20))
    expect(await judgeAll(messages)).toMatchObject({
      asked: [...Array(14).keys()].map((index) => index + 1),
    })
  })

  it.each([
    [2, [1, 2, 3, 4, 5]],
    [8, []],
  ])('stops at as many recent messages as the caller protects (%i)', async (recent, asked) => {
    const messages = conversation(user('The task.'), ...chat(7))
    const decide = judge(0)
    await compactWith(
      {
        messages,
        targetTokens: (await sizeOf(messages)) - 1,
        options: { ...only('relevance'), protectRecent: recent },
      },
      { decide },
    )
    expect(askedMessages(decide)).toEqual(asked)
  })

  it('stops at the newest request even when no message is protected for being recent', async () => {
    const messages = conversation(user('The task.'), ...chat(5))
    const decide = judge(0)
    await compactWith(
      {
        messages,
        targetTokens: (await sizeOf(messages)) - 1,
        options: { ...only('relevance'), protectRecent: 0 },
      },
      { decide },
    )
    expect(askedMessages(decide)).toEqual([1, 2, 3, 4])
  })
})

describe('seed 0: half of a tool exchange', () => {
  it.each([
    ['openai-chat', openaiExchange()],
    ['anthropic-messages', anthropicExchange()],
  ] as const)('is not eligible in %s either', async (format, exchange) => {
    const plain = chat(8)
    const messages = [...plain.slice(0, 2), ...exchange, ...plain.slice(2)]
    const decide = judge(0)
    const tokens = (await compactWith({ format, messages, targetTokens: 1e9 })).report.tokensBefore
    const result = await compactWith(
      { format, messages, targetTokens: Math.floor(tokens * 0.9), options: only('relevance') },
      { decide },
    )
    expect(askedMessages(decide)).toEqual([1])
    expect(result.messages).toEqual(expect.arrayContaining([...exchange]))
  })
})

function openaiExchange(): JsonObject[] {
  const call = { id: 'c1', type: 'function', function: { name: 'run', arguments: '{}' } }
  return [
    user('Run it.'),
    { role: 'assistant', content: 'Running it.', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'ok' },
  ].slice(1)
}

function anthropicExchange(): JsonObject[] {
  return [
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Running it.' },
        { type: 'tool_use', id: 'c1', name: 'run', input: {} },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'ok' }] },
  ]
}
