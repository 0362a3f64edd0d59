import { describe, expect, it } from 'vitest'
import { closeLinks } from '../../../src/engine/groups.ts'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { openaiResponses } from '../../../src/formats/openai-responses/index.ts'
import { marker, plan, read, rulesAt } from './support.ts'

const user: JsonObject = { role: 'user', content: 'u' }
const says: JsonObject = { type: 'message', role: 'assistant', content: 'a' }
const reasoning: JsonObject = { type: 'reasoning', summary: [] }
const search: JsonObject = { type: 'web_search_call', action: {} }
const reference: JsonObject = { type: 'item_reference', id: 'x' }
const call = (call_id: string, members: JsonObject = {}): JsonObject => ({
  type: 'function_call',
  call_id,
  name: 'f',
  arguments: '{}',
  ...members,
})
const result = (call_id: string, members: JsonObject = {}): JsonObject => ({
  type: 'function_call_output',
  call_id,
  output: 'r',
  ...members,
})
const custom = (call_id: string): JsonObject => ({
  type: 'custom_tool_call',
  call_id,
  name: 'g',
  input: '',
})
const customResult = (call_id: string): JsonObject => ({
  type: 'custom_tool_call_output',
  call_id,
  output: 'r',
})
const shell = (call_id: string, environment: string): JsonObject => ({
  type: 'shell_call',
  call_id,
  action: {},
  environment: { type: environment },
})
const shellResult = (call_id: string): JsonObject => ({
  type: 'shell_call_output',
  call_id,
  output: [],
})
const oldMarker = (role: string): JsonObject => ({
  role,
  content: '[2 earlier messages truncated to fit the context window]',
})

const groupsOf = (...input: JsonObject[]): number[][] =>
  [...closeLinks(read(openaiResponses, { input })).members.values()].map((members) => [...members])
const codesOf = (...input: JsonObject[]): string[] =>
  read(openaiResponses, { input }).warnings.map(({ code, pointer }) => `${code} ${pointer}`)

describe('openai-responses links of calls', () => {
  it('join a call with its result over any distance', () => {
    expect(groupsOf(call('a'), user, says, result('a'), user)).toEqual([[0, 3], [1], [2], [4]])
  })

  it('do not chain exchanges that use an id again', () => {
    const items = [call('a'), result('a'), user, call('a'), result('a'), user]
    expect(groupsOf(...items)).toEqual([[0, 1], [2], [3, 4], [5]])
    expect(codesOf(...items)).toEqual(['duplicate-call-id /input/3'])
  })

  it('join each result with the call of its kind, where two have one id', () => {
    const items = [call('a'), custom('a'), result('a'), customResult('a'), user]
    expect(groupsOf(...items)).toEqual([[0, 2], [1, 3], [4]])
  })

  it('join a result with a call of another kind that alone has its id', () => {
    expect(groupsOf(call('a'), customResult('a'), user)).toEqual([[0, 1], [2]])
    expect(groupsOf(reference, user, call('a'), customResult('a'), user)).toEqual([
      [0],
      [1],
      [2, 3],
      [4],
    ])
  })

  it.each(['id', 'call_id'])('find the call of a local shell by %s', (name) => {
    const items = [
      { type: 'local_shell_call', id: 'l', call_id: 'c', action: {} },
      { type: 'local_shell_call_output', [name]: name === 'id' ? 'l' : 'c', output: '' },
      user,
    ]
    expect(groupsOf(...items)).toEqual([[0, 1], [2]])
    expect(codesOf(...items)).toEqual([])
  })

  it('join a request for approval, its answer, and the call that was approved', () => {
    const items = [
      { type: 'mcp_approval_request', id: 'm', name: 'f', arguments: '' },
      { type: 'mcp_approval_response', approval_request_id: 'm', approve: true },
      { type: 'mcp_call', id: 'c', approval_request_id: 'm' },
      says,
    ]
    expect(groupsOf(...items)).toEqual([[0, 1, 2], [3]])
  })

  it('join a program with the calls that it made and their results', () => {
    const caller = { caller: { type: 'program', caller_id: 'p' } }
    const items = [
      { type: 'program', call_id: 'p', code: '' },
      call('a', caller),
      result('a', caller),
      { type: 'program_output', call_id: 'p', result: '' },
      says,
    ]
    expect(groupsOf(...items)).toEqual([[0, 1, 2, 3], [4]])
    expect(groupsOf(call('a', { caller: { type: 'direct' } }), result('a'), says)).toHaveLength(2)
  })

  it('join a tool search at the provider with the output right after it', () => {
    const ask = { type: 'tool_search_call', call_id: null, execution: 'server' }
    const found = { type: 'tool_search_output', call_id: null, execution: 'server', tools: [] }
    expect(groupsOf(ask, found, ask, found, user)).toEqual([[0, 1], [2, 3], [4]])
  })

  it('join an unknown call with the unknown result that has its id', () => {
    const items = [
      { type: 'x_call', call_id: 'a' },
      { type: 'y_call', call_id: 'a' },
      { type: 'x_call_output', call_id: 'a' },
    ]
    expect(groupsOf(...items)).toEqual([[0, 2], [1]])
  })
})

describe('openai-responses links of reasoning', () => {
  it('join it with the message it led to, and with nothing else', () => {
    expect(groupsOf(user, reasoning, says, user, says)).toEqual([[0], [1, 2], [3], [4]])
  })

  it('keep steps of a tool loop apart', () => {
    const items = [user, reasoning, call('a'), result('a'), reasoning, call('b'), result('b'), says]
    expect(groupsOf(...items)).toEqual([[0], [1, 2, 3], [4, 5, 6], [7]])
  })

  it('join it with all parallel calls of its response', () => {
    const items = [reasoning, says, call('a'), call('b'), result('b'), result('a'), reasoning, says]
    expect(groupsOf(...items)).toEqual([
      [0, 1, 2, 3, 4, 5],
      [6, 7],
    ])
  })

  it('join a run of it, and part the steps of one response', () => {
    expect(groupsOf(reasoning, reasoning, search, reasoning, search, reasoning, says)).toEqual([
      [0, 1, 2],
      [3, 4],
      [5, 6],
    ])
  })

  it('go on past results that the provider wrote, and end at those of the caller', () => {
    const items = (environment: string) => [
      reasoning,
      shell('a', environment),
      shellResult('a'),
      says,
    ]
    expect(groupsOf(...items('container_reference'))).toEqual([[0, 1, 2, 3]])
    expect(groupsOf(...items('local'))).toEqual([[0, 1, 2], [3]])
  })

  it.each([
    ['server', [[0, 1, 2, 3]]],
    ['client', [[0, 1, 2], [3]]],
  ])('take the tools that a search of the %s loads for what they are', (execution, groups) => {
    const search = { type: 'tool_search_call', call_id: 'a', execution }
    const tools = { type: 'tool_search_output', call_id: 'a', execution, tools: [] }
    expect(groupsOf(reasoning, search, tools, says)).toEqual(groups)
  })

  it('go on past the result of a program', () => {
    const program = { type: 'program', call_id: 'p', code: '' }
    const output = { type: 'program_output', call_id: 'p', result: '' }
    expect(groupsOf(reasoning, program, output, says)).toEqual([[0, 1, 2, 3]])
  })

  it('end at a message of somebody else', () => {
    expect(groupsOf(reasoning, search, { role: 'developer', content: 'd' }, says)).toEqual([
      [0, 1],
      [2],
      [3],
    ])
  })

  it('make a marker part of the conversation where reasoning has nothing else', () => {
    const { entries } = read(openaiResponses, { input: [reasoning, oldMarker('assistant'), user] })
    expect(entries[1]?.flags).toEqual({})
    expect(groupsOf(reasoning, oldMarker('assistant'), user)).toEqual([[0, 1], [2]])
    const later = read(openaiResponses, { input: [reasoning, says, oldMarker('assistant')] })
    expect(later.entries[2]?.flags.marker).toBe(true)
  })
})

describe('openai-responses links of references', () => {
  it('join a run of items that holds one', () => {
    expect(groupsOf(user, reference, says, call('a'), result('a'), user, says)).toEqual([
      [0],
      [1, 2, 3, 4],
      [5],
      [6],
    ])
  })

  it('join results of which no call is seen with the references before them', () => {
    const items = [reference, reference, result('a'), reference, result('b'), result('c'), user]
    expect(groupsOf(...items)).toEqual([[0, 1, 2], [3, 4, 5], [6]])
    expect(codesOf(...items).filter((code) => !code.startsWith('stored-item'))).toEqual([])
  })

  it('leave results alone whose calls may be in a compacted history, without a warning', () => {
    const items = [{ type: 'compaction', encrypted_content: 'x' }, user, result('a')]
    expect(groupsOf(...items)).toEqual([[0], [1], [2]])
    expect(codesOf(...items)).toEqual([])
  })

  it('leave results alone that have nothing before them, with a warning', () => {
    const items = [result('a'), user, reference]
    expect(groupsOf(...items)).toEqual([[0], [1], [2]])
    expect(codesOf(...items)).toEqual(['orphan-tool-result /input/0', 'stored-item /input/2'])
  })
})

describe('openai-responses pending calls', () => {
  it('hold the whole tail, so that nothing comes between a call and its results', () => {
    const items = [user, says, call('a'), call('b'), result('b')]
    expect(groupsOf(...items)).toEqual([[0], [1, 2, 3, 4]])
    expect(codesOf(...items)).toEqual([])
    const { entries } = read(openaiResponses, { input: items })
    expect(entries.map(({ unresolvedCalls }) => unresolvedCalls)).toEqual([[], [], ['a'], [], []])
  })

  it('would be broken by a marker inside of that tail', () => {
    const payload = { input: [user, call('a'), call('b'), result('b')] }
    expect(rulesAt(openaiResponses, payload)).toEqual([])
    const written = openaiResponses.write(
      payload,
      plan({ dropped: [2, 3], insertions: [marker(2)] }),
    )
    expect(rulesAt(openaiResponses, written)).toEqual(['call-without-result /input/1'])
  })

  it('do not hold a tail in which every call has its result', () => {
    expect(groupsOf(user, call('a'), call('b'), result('b'), result('a'))).toEqual([
      [0],
      [1, 4],
      [2, 3],
    ])
  })

  it('are warned of where somebody speaks after them', () => {
    expect(codesOf(call('a'), user, call('b'))).toEqual(['unanswered-tool-call /input/0'])
  })
})
