import { describe, expect, it } from 'vitest'
import { newFaults } from '../../helpers/wire-rules/index.ts'

const user = { role: 'user', content: 'Please look.' }
const answer = { role: 'assistant', content: 'Done.' }
const asking = (...ids: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
})
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'a long output' })

const added = (before: unknown[], after: unknown[]) =>
  newFaults('openai-chat', { messages: before }, { messages: after })

describe('newFaults', () => {
  it('finds nothing new in a broken conversation that was left alone', () => {
    const broken = [user, result('a'), asking('b', 'c'), result('b'), user]
    expect(added(broken, broken)).toEqual([])
  })

  it('knows an old fault again after the messages before it are gone', () => {
    expect(added([user, answer, user, result('a')], [user, result('a')])).toEqual([])
  })

  it('knows an old fault again after its message was edited', () => {
    const shorter = { ...result('a'), content: 'cleared' }
    expect(added([user, result('a'), answer], [user, shorter, answer])).toEqual([])
  })

  it('knows an old fault of a message without ids again after an edit', () => {
    const photo = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }
    const message = (text: string) => ({
      role: 'user',
      content: [{ type: 'text', text }, photo, { type: 'text', text: '' }],
    })
    const before = { messages: [message('a very long text')] }
    const after = { messages: [message('short')] }
    expect(newFaults('anthropic-messages', before, after)).toEqual([])
  })

  it('reports the fault of a message that was fine before', () => {
    expect(added([user, asking('a'), result('a'), user], [user, result('a'), user])).toEqual([
      { rule: 'result-without-call', pointer: '/messages/1' },
    ])
  })

  it('reports a fault of the same rule about another call of the same message', () => {
    const before = [user, asking('a', 'b'), result('b'), user]
    const after = [user, asking('a', 'b'), result('a'), user]
    expect(added(before, after)).toEqual([
      { rule: 'call-without-result', pointer: '/messages/1/tool_calls/1' },
    ])
  })

  it('does not let one old fault excuse two', () => {
    const before = [user, result('a'), user, asking('a'), result('a'), user]
    const after = [user, result('a'), user, result('a'), user]
    expect(added(before, after)).toEqual([{ rule: 'result-without-call', pointer: '/messages/3' }])
  })

  it('does not let an old fault that is still there excuse an edited message', () => {
    const before = [user, result('a'), asking('a'), result('a'), user]
    const after = [user, result('a'), { ...result('a'), content: 'cleared' }, user]
    expect(added(before, after)).toEqual([{ rule: 'result-without-call', pointer: '/messages/2' }])
  })

  it('knows an edited message again though its twin is in order', () => {
    const before = [user, result('a'), asking('a'), result('a'), user]
    const after = [user, { ...result('a'), content: 'cleared' }, asking('a'), result('a'), user]
    expect(added(before, after)).toEqual([])
  })

  it('reports a message that was emptied', () => {
    expect(added([user, answer], [{ ...user, content: '' }, answer])).toEqual([
      { rule: 'empty-content', pointer: '/messages/0/content' },
    ])
  })

  it('takes a fault of the whole payload for the same one, whichever message shows it', () => {
    const spoken = (content: string) => ({ role: 'assistant', content })
    const before = { messages: [spoken('one'), spoken('two'), user] }
    expect(newFaults('anthropic-messages', before, { messages: [spoken('two'), user] })).toEqual([])
    expect(
      newFaults(
        'anthropic-messages',
        { messages: [user, spoken('one')] },
        { messages: [spoken('one')] },
      ),
    ).toEqual([{ rule: 'first-role', pointer: '/messages/0' }])
  })

  it('knows a neurolink message again by its id', () => {
    const stray = { id: 'm-1', role: 'tool_result', content: 'long', toolCallId: 'a' }
    const edited = { ...stray, content: 'x', metadata: { truncated: true } }
    expect(newFaults('neurolink', { messages: [stray] }, { messages: [edited] })).toEqual([])
    expect(
      newFaults('neurolink', { messages: [stray] }, { messages: [{ ...edited, id: 'm-2' }] }),
    ).toEqual([{ rule: 'orphan-result', pointer: '/messages/0' }])
  })

  it('knows an item of openai responses again by what it answers', () => {
    const stray = { type: 'function_call_output', call_id: 'a', output: 'long' }
    const edited = { ...stray, output: 'x' }
    const faults = (before: unknown[], after: unknown[]) =>
      newFaults('openai-responses', { input: before }, { input: after })
    expect(faults([user, stray], [edited, user])).toEqual([])
    expect(faults([user, stray], [user, { ...edited, call_id: 'b' }])).toEqual([
      { rule: 'result-without-call', pointer: '/input/1' },
    ])
  })

  it('knows a content of gemini again by what its parts answer', () => {
    const stray = (name: string, text: string) => ({
      role: 'user',
      parts: [{ functionResponse: { name, response: { text } } }],
    })
    const faults = (before: unknown[], after: unknown[]) =>
      newFaults('gemini', { contents: before }, { contents: after })
    expect(faults([stray('f', 'long')], [stray('f', 'x')])).toEqual([])
    expect(faults([stray('f', 'long')], [stray('g', 'x')])).not.toEqual([])
  })
})
