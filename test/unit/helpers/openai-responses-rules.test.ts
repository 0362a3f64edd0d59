import { describe, expect, it } from 'vitest'
import { findFaults } from '../../helpers/wire-rules/index.ts'

const user = { role: 'user', content: 'Please look.' }
const said = { role: 'assistant', content: 'Done.' }
const message = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
}
const thought = (id: string) => ({ type: 'reasoning', id, summary: [] })
const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'f', arguments: '{}' })
const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'ok' })
const custom = (id: string) => ({ type: 'custom_tool_call', call_id: id, name: 'g', input: 'x' })
const customOutput = (id: string) => ({ type: 'custom_tool_call_output', call_id: id, output: '' })
const localShell = { type: 'local_shell_call', id: 'lsh_1', call_id: 'c', action: {} }
const request = { type: 'mcp_approval_request', id: 'mcpr_1', name: 'f', arguments: '{}' }
const approval = { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true }
const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: {} }
const hosted = { type: 'tool_search_call', call_id: null, execution: 'server', arguments: {} }
const hostedOutput = { type: 'tool_search_output', call_id: null, execution: 'server', tools: [] }
const compaction = { type: 'compaction', encrypted_content: 'gAAAA' }
const reference = { type: 'item_reference', id: 'fc_9' }

const faultsOf = (...input: unknown[]) => findFaults('openai-responses', { input })

describe('openai responses rules: what the provider takes', () => {
  it('accepts a string', () => {
    expect(findFaults('openai-responses', { input: 'Hello.' })).toEqual([])
  })

  it.each<[string, unknown[]]>([
    ['messages with and without type', [user, said, { ...user, type: 'message' }, message]],
    ['every role', [{ role: 'system', content: 'x' }, { role: 'developer', content: 'x' }, user]],
    ['a refusal', [user, { ...message, content: [{ type: 'refusal', refusal: 'No.' }] }]],
    ['a call with its result', [user, call('a'), output('a'), message]],
    ['parallel results in another order', [user, call('a'), call('b'), output('b'), output('a')]],
    ['a call that is answered behind a text', [user, call('a'), message, output('a'), said]],
    ['each call with its result', [user, call('a'), output('a'), custom('b'), customOutput('b')]],
    ['calls that are pending at the tail', [user, thought('r'), call('a'), call('b')]],
    ['a pending call before the text of the same run', [user, call('a'), message]],
    ['results collected in part at the tail', [user, call('a'), custom('b'), output('a')]],
    ['a result of the local shell by its call', [user, localShell, shellOutput({ call_id: 'c' })]],
    ['a result of the local shell that says id', [user, localShell, shellOutput({ id: 'c' })]],
    ['one that says the id of the item', [user, localShell, shellOutput({ id: 'lsh_1' }), user]],
    ['an approval that is asked for and given', [user, request, approval, said, user]],
    ['an approval that is still awaited', [user, thought('r'), request]],
    ['a search of the provider', [user, thought('r'), search, thought('s'), message]],
    ['a tool search of the provider', [user, hosted, hostedOutput, said, user]],
    ['half a tool search of the provider', [user, hostedOutput, said, user]],
    ['two thoughts in a row', [user, thought('r'), thought('s'), call('a'), output('a')]],
    ['a thought before an unknown item', [user, thought('r'), { type: 'x_call', id: 'x' }, user]],
    ['a thought before a reference', [user, thought('r'), reference, user]],
    ['a result behind a compaction', [compaction, output('a'), said, user]],
    ['a result behind a reference', [user, reference, output('a'), said, user]],
    ['a reference without type', [user, { id: 'msg_9' }, output('a'), said, user]],
    ['an unknown item', [user, { type: 'x_widget' }, said]],
    ['further tools', [{ type: 'additional_tools', role: 'developer', tools: [] }, user]],
  ])('accepts %s', (_, input) => {
    expect(faultsOf(...input)).toEqual([])
  })
})

function shellOutput(members: object) {
  return { type: 'local_shell_call_output', output: 'ok', ...members }
}

describe('openai responses rules: what the provider refuses', () => {
  it('rejects an input that is neither a string nor a list', () => {
    const fault = { rule: 'structure', pointer: '/input' }
    expect(findFaults('openai-responses', { input: { role: 'user' } })).toEqual([fault])
    expect(findFaults('openai-responses', { input: null })).toEqual([fault])
    expect(findFaults('openai-responses', {})).toEqual([fault])
  })

  it.each<[string, unknown[], string, string]>([
    ['an item that is no object', [user, 'text'], 'structure', '/input/1'],
    ['an unknown role', [{ role: 'tool', content: 'x' }], 'known-role', '/input/0/role'],
    ['a message without role', [{ type: 'message', content: 'x' }], 'known-role', '/input/0/role'],
    ['no content', [{ role: 'user' }, said], 'empty-content', '/input/0/content'],
    ['null content', [{ ...user, content: null }], 'empty-content', '/input/0/content'],
    ['an empty text', [user, { ...said, content: '' }], 'empty-content', '/input/1/content'],
    ['an empty list', [user, { ...message, content: [] }], 'empty-content', '/input/1/content'],
    ['a call without result', [user, call('a'), user], 'call-without-result', '/input/1'],
    [
      'a call that the model has gone past',
      [user, call('a'), call('b'), output('b'), message],
      'call-without-result',
      '/input/1',
    ],
    [
      'a call without id',
      [user, { type: 'function_call' }, user],
      'call-without-result',
      '/input/1',
    ],
    ['a request without approval', [user, request, user], 'call-without-result', '/input/1'],
    ['a local shell call', [user, localShell, user], 'call-without-result', '/input/1'],
    ['a result without call', [user, output('a'), said], 'result-without-call', '/input/1'],
    ['a result before its call', [output('a'), user, call('a')], 'result-without-call', '/input/0'],
    [
      'a result without id',
      [user, { type: 'function_call_output', output: 'x' }],
      'result-without-call',
      '/input/1',
    ],
    ['an approval nobody asked for', [user, approval], 'result-without-call', '/input/1'],
    [
      'a compaction that stands behind the result',
      [user, output('a'), compaction, user],
      'result-without-call',
      '/input/1',
    ],
    [
      'a second result',
      [user, call('a'), output('a'), output('a'), user],
      'duplicate-result',
      '/input/3',
    ],
    [
      'a second call of the same id',
      [user, call('a'), output('a'), custom('a'), customOutput('a')],
      'duplicate-call-id',
      '/input/3',
    ],
    [
      'a result of another kind beside the own one',
      [user, call('a'), output('a'), customOutput('a'), user],
      'result-of-other-kind',
      '/input/3',
    ],
    [
      'a thought before a request',
      [user, thought('r'), user],
      'reasoning-without-item',
      '/input/1',
    ],
    ['a thought at the end', [user, thought('r')], 'reasoning-without-item', '/input/1'],
    [
      'a thought before a result',
      [user, call('a'), thought('r'), output('a'), user],
      'reasoning-without-item',
      '/input/2',
    ],
    [
      'the last of two thoughts before a request',
      [user, thought('r'), thought('s'), user],
      'reasoning-without-item',
      '/input/2',
    ],
    [
      'a thought before a listing of tools',
      [user, thought('r'), { type: 'mcp_list_tools', id: 'm', tools: [] }, said],
      'reasoning-without-item',
      '/input/1',
    ],
  ])('rejects %s', (_, input, rule, pointer) => {
    expect(faultsOf(...input)).toEqual([{ rule, pointer }])
  })

  it('names both sides where a result is of another kind than its call', () => {
    expect(faultsOf(user, call('a'), customOutput('a'), said, user)).toEqual([
      { rule: 'result-of-other-kind', pointer: '/input/2' },
      { rule: 'call-without-result', pointer: '/input/1' },
    ])
  })

  it('names the second call of one id twice where it has no result of its own', () => {
    expect(faultsOf(user, call('a'), output('a'), call('a'), user)).toEqual([
      { rule: 'duplicate-call-id', pointer: '/input/3' },
      { rule: 'call-without-result', pointer: '/input/3' },
    ])
  })
})
