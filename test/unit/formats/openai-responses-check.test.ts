import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src/engine/transcript.ts'
import { openaiResponses } from '../../../src/formats/openai-responses/index.ts'
import { rulesAt } from './support.ts'

const user: JsonObject = { role: 'user', content: 'u' }
const says: JsonObject = { type: 'message', role: 'assistant', content: 'a' }
const reasoning: JsonObject = { type: 'reasoning', summary: [] }
const call = (call_id: string, type = 'function_call'): JsonObject => ({ type, call_id })
const result = (call_id: string, type = 'function_call_output'): JsonObject => ({ type, call_id })
const ask = (id: string): JsonObject => ({ type: 'mcp_approval_request', id })
const answer = (approval_request_id: string): JsonObject => ({
  type: 'mcp_approval_response',
  approval_request_id,
  approve: true,
})
const brokenBy = (...input: JsonValue[]): string[] => rulesAt(openaiResponses, { input })

/** Each breaks one rule and no other; the near miss differs in little and breaks none. */
const CASES: readonly [rule: string, name: string, JsonValue[], string, JsonValue[]][] = [
  ['structure', 'an item that is none', [user, 7], '/input/1', [user]],
  [
    'known-role',
    'a role of another API',
    [{ role: 'tool', content: 'x' }],
    '/input/0/role',
    [{ role: 'developer', content: 'x' }],
  ],
  ['known-role', 'a message without a role', [{ content: 'x' }], '/input/0/role', [{ id: 'x' }]],
  ['empty-content', 'no content', [{ role: 'user' }], '/input/0', [{ role: 'user', content: ' ' }]],
  ['empty-content', 'null', [{ role: 'user', content: null }], '/input/0', [user]],
  ['empty-content', 'an empty text', [{ role: 'user', content: '' }], '/input/0', [user]],
  [
    'empty-content',
    'no parts',
    [{ type: 'message', role: 'assistant', content: [] }],
    '/input/0',
    [{ type: 'message', role: 'assistant', content: [{}] }],
  ],
  ['call-without-result', 'a text after a call', [call('a'), user], '/input/0', [user, call('a')]],
  [
    'call-without-result',
    'a new step before the result',
    [call('a'), call('b'), result('b'), call('c'), result('c')],
    '/input/0',
    [call('a'), call('b'), result('b')],
  ],
  [
    'call-without-result',
    'a request that nobody answered',
    [ask('m'), user],
    '/input/0',
    [ask('m'), answer('m'), user],
  ],
  [
    'call-without-result',
    'a call that has to wait',
    [{ ...call('a'), async: false }, user],
    '/input/0',
    [{ ...call('a'), async: true }, user],
  ],
  ['result-without-call', 'nothing before', [result('a')], '/input/0', [call('a'), result('a')]],
  [
    'result-without-call',
    'the call of another id',
    [call('b'), result('b'), result('a')],
    '/input/2',
    [{ type: 'item_reference', id: 'x' }, result('a')],
  ],
  [
    'result-without-call',
    'a history that ends before it',
    [{ type: 'compaction_trigger' }, result('a')],
    '/input/1',
    [{ type: 'compaction', encrypted_content: 'x' }, result('a')],
  ],
  [
    'result-without-call',
    'the result of a program',
    [result('p', 'program_output')],
    '/input/0',
    [call('p', 'program'), result('p', 'program_output')],
  ],
  [
    'duplicate-result',
    'a second result',
    [call('a'), result('a'), result('a')],
    '/input/2',
    [call('a'), result('a'), call('b'), result('b')],
  ],
  [
    'duplicate-call-id',
    'an id that is used again',
    [call('a'), result('a'), call('a'), result('a')],
    '/input/2',
    [call('a'), result('a'), call('A'), result('A')],
  ],
  [
    'duplicate-call-id',
    'an id of another kind',
    [call('a'), result('a'), call('a', 'custom_tool_call'), result('a', 'custom_tool_call_output')],
    '/input/2',
    [call('a'), result('a'), call('b', 'custom_tool_call'), result('b', 'custom_tool_call_output')],
  ],
  [
    'result-of-other-kind',
    'an output of another tool',
    [call('a'), result('a'), result('a', 'custom_tool_call_output')],
    '/input/2',
    [call('a', 'custom_tool_call'), result('a', 'custom_tool_call_output')],
  ],
  ['reasoning-without-item', 'the user', [reasoning, user], '/input/0', [reasoning, says]],
  ['reasoning-without-item', 'the end', [says, reasoning], '/input/1', [reasoning, call('a')]],
  [
    'reasoning-without-item',
    'a run of it, once',
    [reasoning, reasoning, reasoning, user],
    '/input/2',
    [reasoning, reasoning, { type: 'item_reference', id: 'x' }],
  ],
  [
    'reasoning-without-item',
    'a result',
    [call('a'), reasoning, result('a')],
    '/input/1',
    [call('a'), result('a'), reasoning, { type: 'x_call' }],
  ],
  [
    'reasoning-without-item',
    'tools that the caller adds',
    [reasoning, { type: 'additional_tools', role: 'developer', tools: [] }],
    '/input/0',
    [reasoning, { type: 'mcp_list_tools', tools: [] }],
  ],
  [
    'reasoning-without-item',
    'a message of the developer',
    [reasoning, { role: 'developer', content: 'd' }],
    '/input/0',
    [reasoning, { type: 'image_generation_call', result: null }],
  ],
]

describe('openai-responses check', () => {
  it.each(CASES)('finds %s: %s', (rule, _, items, pointer) => {
    expect(brokenBy(...items)).toEqual([`${rule} ${pointer}`])
  })

  it.each(CASES)(
    'finds nothing in a near miss of %s: %s',
    (_rule, _name, _items, _at, nearMiss) => {
      expect(brokenBy(...nearMiss)).toEqual([])
    },
  )

  it('has a case for every one of its rules', () => {
    const rules = openaiResponses.rules.map(({ id }) => id)
    expect([...new Set(CASES.map(([rule]) => rule))]).toEqual(rules)
  })

  it.each([
    ['custom_tool_call', 'custom_tool_call_output'],
    ['computer_call', 'computer_call_output'],
    ['local_shell_call', 'local_shell_call_output'],
    ['shell_call', 'shell_call_output'],
    ['apply_patch_call', 'apply_patch_call_output'],
    ['tool_search_call', 'tool_search_output'],
  ])('follows %s like a function call', (type, output) => {
    expect(brokenBy(call('a', type), result('a', output), user)).toEqual([])
    expect(brokenBy(call('a', type), user)).toEqual(['call-without-result /input/0'])
    expect(brokenBy(result('a', output))).toEqual(['result-without-call /input/0'])
  })

  it.each(['id', 'call_id'])('takes the result of a local shell by %s, once', (name) => {
    const shell = { type: 'local_shell_call', id: 'a', call_id: 'a' }
    const output = { type: 'local_shell_call_output', [name]: 'a' }
    expect(brokenBy(shell, output, user)).toEqual([])
    expect(brokenBy(shell, output, { ...output, x: 1 }, user)).toEqual([
      'duplicate-result /input/2',
    ])
  })

  it('knows the two names of a local shell call for one call', () => {
    const shell = { type: 'local_shell_call', id: 'l', call_id: 'c' }
    const outputs = [{ call_id: 'c' }, { id: 'l' }].map((name) => ({
      type: 'local_shell_call_output',
      ...name,
    }))
    expect(brokenBy(shell, ...outputs)).toEqual(['duplicate-result /input/2'])
  })

  it('does not ask for results of tools at the provider', () => {
    const types = [
      'web_search_call',
      'file_search_call',
      'code_interpreter_call',
      'image_generation_call',
      'mcp_call',
      'mcp_list_tools',
      'hologram_call',
    ]
    expect(brokenBy(...types.map((type) => ({ type, call_id: 'a' })), user)).toEqual([])
    expect(brokenBy({ type: 'tool_search_call', call_id: null }, user)).toEqual([])
    expect(brokenBy({ type: 'program', call_id: 'p' }, user)).toEqual([])
  })

  it.each<[string, JsonValue[]]>([
    ['calls at the end', [user, says, call('a'), call('b')]],
    ['some of their results', [user, call('a'), call('b'), result('b')]],
    ['an approval beside a call', [user, call('a'), ask('m'), answer('m')]],
    ['a request to compact', [user, call('a'), { type: 'compaction_trigger' }]],
  ])('takes %s for pending', (_, items) => {
    expect(brokenBy(...items)).toEqual([])
  })

  it('takes a string, and names an input that is neither that nor a list', () => {
    expect(rulesAt(openaiResponses, { input: 'a' })).toEqual([])
    expect(rulesAt(openaiResponses, { input: 1 })).toEqual(['structure /input'])
    expect(rulesAt(openaiResponses, {})).toEqual(['structure /input'])
  })

  it.each<JsonValue[][]>([
    [[null, 1, 'x', [], {}]],
    [[{ type: 'function_call' }, { type: 'function_call', call_id: 7 }, { type: null }]],
    [[{ type: 'reasoning' }, null, { type: 'local_shell_call', id: {} }]],
  ])('is total: %j', (items) => {
    expect(Array.isArray(openaiResponses.check({ input: items }))).toBe(true)
  })
})
