import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { AI_SDK_RULES } from '../../../src/formats/ai-sdk/check.ts'
import { aiSdk } from '../../../src/formats/ai-sdk/index.ts'
import { fixture, rulesAt } from './support.ts'

const user: JsonObject = { role: 'user', content: 'u' }
const says = (...content: unknown[]) => ({ role: 'assistant', content })
const gives = (...content: unknown[]) => ({ role: 'tool', content })
const text = { type: 'text', text: 'a' }
const thought = { type: 'reasoning', text: 't' }
const image = { type: 'image', image: 'AA==' }
const call = (toolCallId: string, more = {}) => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'f',
  input: {},
  ...more,
})
const result = (toolCallId: string, output: unknown = { type: 'text', value: '' }) => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'f',
  output,
})
const asks = (approvalId: string, toolCallId: string) => ({
  type: 'tool-approval-request',
  approvalId,
  toolCallId,
})
const answers = (approvalId: string) => ({
  type: 'tool-approval-response',
  approvalId,
  approved: true,
})
const check = (messages: unknown) => rulesAt(aiSdk, { messages } as JsonObject)

/** One conversation a rule, which no other rule finds fault with. */
const BROKEN: Record<string, [messages: unknown[] | undefined, pointer: string]> = {
  structure: [[user, 7], '/messages/1'],
  'known-role': [[user, { role: 'function', content: 'x' }], '/messages/1/role'],
  'content-shape': [[user, { role: 'tool', content: 'x' }], '/messages/1/content'],
  'empty-content': [[user, says()], '/messages/1/content'],
  'part-role': [[{ role: 'user', content: [text, thought] }], '/messages/0/content/1'],
  'result-output': [[says(call('a')), gives(result('a', 'dry'))], '/messages/1/content/0/output'],
  'reasoning-alone': [[user, says(thought), user], '/messages/1'],
  'call-without-result': [
    [user, says(call('a'), call('b')), gives(result('a')), user],
    '/messages/1/content/1',
  ],
  'result-without-call': [[user, gives(result('a'))], '/messages/1/content/0'],
  'result-misplaced': [
    [says(call('a', { providerExecuted: true })), user, gives(result('a'))],
    '/messages/2/content/0',
  ],
  'duplicate-result': [[says(call('a')), gives(result('a'), result('a'))], '/messages/1/content/1'],
  'duplicate-call-id': [
    [says(call('a')), gives(result('a')), user, says(call('a')), gives(result('a'))],
    '/messages/3/content/0',
  ],
  'approval-without-call': [[user, says(text, asks('p', 'a'))], '/messages/1/content/1'],
  'approval-without-request': [
    [user, says(call('a')), gives(answers('p'))],
    '/messages/2/content/0',
  ],
}

describe('ai-sdk wire rules', () => {
  it.each(AI_SDK_RULES.map(({ id }) => id))('%s is the only one to catch its case', (id) => {
    const [messages, pointer] = BROKEN[id] ?? [undefined, '']
    expect(check(messages)).toEqual([`${id} ${pointer}`])
  })

  it('have one source each and unique names', () => {
    expect(new Set(AI_SDK_RULES.map(({ id }) => id)).size).toBe(AI_SDK_RULES.length)
    for (const { source } of AI_SDK_RULES) expect(source).not.toBe('')
    expect(aiSdk.rules).toBe(AI_SDK_RULES)
  })

  it.each([
    ['the greenhouse session', fixture('ai-sdk/greenhouse.json').messages],
    [
      'every role',
      [{ role: 'system', content: 's' }, user, says(text), { role: 'assistant', content: 'a' }],
    ],
    ['thinking before a text', [user, says(thought, text)]],
    ['thinking before an unknown part', [user, says(thought, { type: 'hologram' })]],
    ['parts that nobody knows, in any role', [{ role: 'user', content: [{ type: 'hologram' }] }]],
    [
      'a file of either side',
      [{ role: 'user', content: [{ type: 'file' }] }, says({ type: 'file' })],
    ],
    [
      'outputs of every type',
      [
        says(...['a', 'b', 'c', 'd', 'e', 'f'].map((id) => call(id))),
        gives(
          result('a', { type: 'text', value: '' }),
          result('b', { type: 'json', value: null }),
          result('c', { type: 'content', value: [] }),
          result('d', { type: 'error-text', value: 'x' }),
          result('e', { type: 'error-json', value: 0 }),
          result('f', { type: 'execution-denied' }),
        ),
      ],
    ],
    [
      'a result that an assistant message holds',
      [says(call('a', { providerExecuted: true }), result('a'))],
    ],
    [
      'a call of the provider that has no result',
      [says(call('a', { providerExecuted: true })), user],
    ],
    [
      'a result some steps later, before the user goes on',
      [says(call('a')), says(text), gives(result('a')), user],
    ],
    ['calls that wait at the end', [user, says(call('a'), call('b')), gives(result('b'))]],
    ['a call that waits, and more of the assistant', [user, says(call('a')), says(text)]],
    ['an approval that waits', [user, says(call('a'), asks('p', 'a'))]],
    [
      'an approval that is answered, and a tool that has not run',
      [user, says(call('a'), asks('p', 'a')), gives(answers('p'))],
    ],
    ['an approval before the call beside it', [user, says(asks('p', 'a'), call('a'))]],
    [
      'an approval of a call of an earlier step',
      [user, says(call('a')), says(text, asks('p', 'a'))],
    ],
    ['no message', []],
  ])('find nothing in %s', (_, messages) => {
    expect(check(messages)).toEqual([])
  })

  it.each([
    [
      'a call that is answered only after the user went on',
      [says(call('a')), user, gives(result('a'))],
      ['call-without-result /messages/0/content/0', 'result-misplaced /messages/2/content/0'],
    ],
    [
      'a late result that comes twice',
      [says(call('a')), user, gives(result('a'), result('a'))],
      [
        'call-without-result /messages/0/content/0',
        'result-misplaced /messages/2/content/0',
        'duplicate-result /messages/2/content/1',
      ],
    ],
    [
      'a call that a system message closes',
      [says(call('a')), { role: 'system', content: 's' }],
      ['call-without-result /messages/0/content/0'],
    ],
    [
      'two calls of one id with one result',
      [says(call('a'), call('a')), gives(result('a')), user],
      ['call-without-result /messages/0/content/0', 'duplicate-call-id /messages/0/content/1'],
    ],
    [
      'a result before its call',
      [gives(result('a')), says(call('a')), user],
      ['call-without-result /messages/1/content/0', 'result-without-call /messages/0/content/0'],
    ],
    [
      'an approval of a call that comes later',
      [says(text, asks('p', 'a')), gives(answers('p')), says(call('a')), gives(result('a'))],
      ['approval-without-call /messages/0/content/1'],
    ],
    [
      'an answer before its request',
      [gives(answers('p')), says(call('a'), asks('p', 'a'))],
      ['approval-without-request /messages/0/content/0'],
    ],
    [
      'contents of a wrong shape',
      [
        { role: 'system', content: [text] },
        { role: 'user', content: null },
        { role: 'assistant' },
        { role: 'user', content: { type: 'text' } },
      ],
      [0, 1, 2, 3].map((index) => `content-shape /messages/${index}/content`),
    ],
    [
      'messages that say nothing',
      [
        { role: 'user', content: '' },
        { role: 'assistant', content: '' },
        { role: 'tool', content: [] },
        { role: 'system', content: '' },
      ],
      [0, 1, 2, 3].map((index) => `empty-content /messages/${index}/content`),
    ],
    [
      'parts in messages of another role',
      [
        says(image),
        { role: 'user', content: [call('a'), asks('p', 'a')] },
        gives(text, result('a')),
        { role: 'user', content: [result('a'), answers('p')] },
        says({ type: 'custom' }, answers('p')),
        { role: 'user', content: [{ type: 'custom' }, { type: 'reasoning-file' }] },
      ],
      [
        'part-role /messages/0/content/0',
        'part-role /messages/1/content/0',
        'part-role /messages/1/content/1',
        'part-role /messages/2/content/0',
        'part-role /messages/3/content/0',
        'part-role /messages/3/content/1',
        'part-role /messages/4/content/1',
        'part-role /messages/5/content/0',
        'part-role /messages/5/content/1',
        'duplicate-result /messages/3/content/0',
      ],
    ],
    [
      'outputs that are none',
      [
        says(...['a', 'b', 'c', 'd'].map((id) => call(id))),
        gives(
          result('a', null),
          result('b', { type: 'hologram', value: 1 }),
          result('c', { type: 'text', value: {} }),
          result('d', { type: 'content', value: 'x' }),
        ),
      ],
      [0, 1, 2, 3].map((part) => `result-output /messages/1/content/${part}/output`),
    ],
    [
      'thinking that is all there is, in files too',
      [says(thought, { type: 'reasoning-file' }), says(text)],
      ['reasoning-alone /messages/0'],
    ],
  ])('see %s', (_, messages, expected) => {
    expect(check(messages)).toEqual(expected)
  })

  it('look behind what is no message at all', () => {
    expect(check([null, gives(null, result('a'))])).toEqual([
      'structure /messages/0',
      'result-without-call /messages/1/content/1',
    ])
    expect(rulesAt(aiSdk, {})).toEqual(['structure /messages'])
  })
})
