import { describe, expect, it } from 'vitest'
import { findAiSdkFaults } from '../../helpers/wire-rules/ai-sdk.ts'

const user = { role: 'user', content: 'What is the weather in Paris and Rome?' }
const answer = { role: 'assistant', content: 'Sunny in both.' }
const text = { type: 'text', text: 'Sunny.' }
const reasoning = { type: 'reasoning', text: 'Compare.' }
const assistant = (...content: unknown[]) => ({ role: 'assistant', content })
const tool = (...content: unknown[]) => ({ role: 'tool', content })
const call = (toolCallId: string, members: object = {}) => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'f',
  input: {},
  ...members,
})
const result = (toolCallId: string, output: unknown = { type: 'text', value: 'sunny' }) => ({
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
const approves = (approvalId: string) => ({
  type: 'tool-approval-response',
  approvalId,
  approved: true,
})
const provided = { providerExecuted: true }

const faultsOf = (messages: unknown) => findAiSdkFaults({ messages })

describe('ai-sdk rules: what the SDK takes', () => {
  it.each<[string, unknown[]]>([
    ['a plain exchange', [{ role: 'system', content: 'Be brief.' }, user, answer]],
    [
      'parts of every kind',
      [
        { role: 'user', content: [text, { type: 'image', image: 'aQ==' }, { type: 'file' }] },
        assistant(
          reasoning,
          { type: 'reasoning-file' },
          text,
          { type: 'file' },
          { type: 'custom' },
        ),
      ],
    ],
    [
      'parallel calls whose results are spread over messages',
      [user, assistant(call('a'), call('b')), tool(result('b')), tool(result('a')), answer, user],
    ],
    [
      'results behind two messages with calls',
      [user, assistant(call('a')), assistant(call('b')), tool(result('a'), result('b')), user],
    ],
    ['calls that are pending at the tail', [user, assistant(call('a'), call('b'))]],
    [
      'calls that are answered in part at the tail',
      [user, assistant(call('a'), call('b')), tool(result('b'))],
    ],
    ['an approval that nobody gave yet', [user, assistant(call('a'), asks('p', 'a'))]],
    [
      'an approval whose tool has not run yet',
      [user, assistant(call('a'), asks('p', 'a')), tool(approves('p'))],
    ],
    [
      'an approval that was given and acted upon',
      [
        user,
        assistant(call('a'), asks('p', 'a')),
        tool(approves('p')),
        tool(result('a')),
        answer,
        user,
      ],
    ],
    [
      'a provider-executed call with its result beside it',
      [user, assistant(call('a', provided), result('a'), text), user],
    ],
    [
      'a provider-executed call that was approved first',
      [
        user,
        assistant(call('a', provided), asks('p', 'a')),
        tool(approves('p')),
        assistant(result('a'), text),
      ],
    ],
    ['a provider-executed call without result', [user, assistant(call('a', provided), text), user]],
    [
      'an empty text with options',
      [user, assistant({ ...text, text: '', providerOptions: { a: {} } })],
    ],
    [
      'an empty tool output',
      [user, assistant(call('a')), tool(result('a', { type: 'text', value: '' }))],
    ],
    [
      'unknown kinds of parts',
      [{ role: 'user', content: [{ type: 'x_widget' }] }, assistant({ type: 'x_note' })],
    ],
  ])('accepts %s', (_, messages) => {
    expect(faultsOf(messages)).toEqual([])
  })

  it.each<[string, unknown]>([
    ['text', { type: 'text', value: 'x' }],
    ['json', { type: 'json', value: null }],
    ['error-text', { type: 'error-text', value: 'x' }],
    ['error-json', { type: 'error-json', value: { code: 1 } }],
    ['content', { type: 'content', value: [{ type: 'image-data', data: 'aQ==' }] }],
    ['execution-denied', { type: 'execution-denied' }],
  ])('accepts an output of type %s', (_, output) => {
    expect(faultsOf([user, assistant(call('a')), tool(result('a', output)), answer])).toEqual([])
  })
})

describe('ai-sdk rules: what the SDK or the provider refuses', () => {
  it.each<[string, unknown, string, string]>([
    ['no list', 'hello', 'structure', '/messages'],
    ['an empty list', [], 'structure', '/messages'],
    ['an item that is no object', [user, 'hello'], 'structure', '/messages/1'],
    [
      'a role of another format',
      [user, { ...answer, role: 'model' }],
      'known-role',
      '/messages/1/role',
    ],
    [
      'parts as a system prompt',
      [{ role: 'system', content: [text] }],
      'content-shape',
      '/messages/0/content',
    ],
    [
      'a text as a tool message',
      [user, { role: 'tool', content: 'x' }],
      'content-shape',
      '/messages/1/content',
    ],
    [
      'a UIMessage',
      [{ id: 'm1', role: 'user', parts: [text] }],
      'content-shape',
      '/messages/0/content',
    ],
    ['an empty text', [{ role: 'user', content: '' }], 'empty-content', '/messages/0/content'],
    [
      'an empty text at the end',
      [user, { role: 'assistant', content: '' }],
      'empty-content',
      '/messages/1/content',
    ],
    ['an empty list of parts', [user, assistant()], 'empty-content', '/messages/1/content'],
    [
      'nothing but texts that the SDK leaves out',
      [user, assistant({ ...text, text: '' })],
      'empty-content',
      '/messages/1/content',
    ],
    [
      'an image of the assistant',
      [user, assistant(text, { type: 'image' })],
      'part-role',
      '/messages/1/content/1',
    ],
    [
      'a call of the user',
      [{ role: 'user', content: [call('a')] }],
      'part-role',
      '/messages/0/content/0',
    ],
    ['a text of the tool', [user, tool(text)], 'part-role', '/messages/1/content/0'],
    [
      'a call without result',
      [user, assistant(call('a'), call('b')), tool(result('b')), user],
      'call-without-result',
      '/messages/1/content/0',
    ],
    [
      'a call that is followed by instructions',
      [user, assistant(call('a')), { role: 'system', content: 'Be brief.' }],
      'call-without-result',
      '/messages/1/content/0',
    ],
    [
      'a call whose approval was given and whose tool never ran',
      [user, assistant(call('a'), asks('p', 'a')), tool(approves('p')), user],
      'call-without-result',
      '/messages/1/content/0',
    ],
    [
      "a call of the caller's tool that an assistant message answers",
      [user, assistant(call('a'), result('a')), user],
      'call-without-result',
      '/messages/1/content/0',
    ],
    [
      'a result without call',
      [user, tool(result('a'))],
      'result-without-call',
      '/messages/1/content/0',
    ],
    [
      'a result before its call',
      [user, assistant(result('a'), call('a', provided)), user],
      'result-without-call',
      '/messages/1/content/0',
    ],
    [
      'a second result',
      [user, assistant(call('a')), tool(result('a')), tool(result('a'))],
      'duplicate-result',
      '/messages/3/content/0',
    ],
    [
      'one id for two calls',
      [
        user,
        assistant(call('a')),
        tool(result('a')),
        user,
        assistant(call('a')),
        tool(result('a')),
        user,
      ],
      'duplicate-call-id',
      '/messages/4/content/0',
    ],
    [
      'an approval of no call',
      [user, assistant(text, asks('p', 'a'))],
      'approval-without-call',
      '/messages/1/content/1',
    ],
    [
      'an approval that nobody asked for',
      [user, answer, tool(approves('p'))],
      'approval-without-request',
      '/messages/2/content/0',
    ],
    [
      'nothing but reasoning',
      [user, assistant(reasoning, { type: 'reasoning-file' })],
      'reasoning-alone',
      '/messages/1',
    ],
    [
      'nothing but reasoning and a text that the SDK leaves out',
      [user, assistant(reasoning, { ...text, text: '' })],
      'reasoning-alone',
      '/messages/1',
    ],
  ])('rejects %s', (_, messages, rule, pointer) => {
    expect(faultsOf(messages)).toEqual([{ rule, pointer }])
  })

  it.each<[string, unknown]>([
    ['none at all', undefined],
    ['the value alone', 'sunny'],
    ['an unknown type', { type: 'image', value: 'x' }],
    ['a text that is no string', { type: 'text', value: 1 }],
    ['JSON without value', { type: 'json' }],
    ['content that is no list', { type: 'content', value: 'x' }],
  ])('rejects %s as output', (_, output) => {
    const { output: __, ...bare } = result('a')
    expect(faultsOf([user, assistant(call('a')), tool({ ...bare, output }), answer])).toEqual([
      { rule: 'result-output', pointer: '/messages/2/content/0' },
    ])
  })

  it('names both ends of a result that comes after the next request', () => {
    expect(faultsOf([user, assistant(call('a')), user, tool(result('a'))])).toEqual([
      { rule: 'result-misplaced', pointer: '/messages/3/content/0' },
      { rule: 'call-without-result', pointer: '/messages/1/content/0' },
    ])
  })
})
