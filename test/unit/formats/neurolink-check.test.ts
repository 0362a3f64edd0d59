import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { NEUROLINK_RULES } from '../../../src/formats/neurolink/check.ts'
import { neurolink } from '../../../src/formats/neurolink/index.ts'
import { fixture, rulesAt } from './support.ts'

const user: JsonObject = { role: 'user', content: 'u' }
const talk: JsonObject = { role: 'assistant', content: 't' }
const call = (toolCallId?: string): JsonObject => ({
  role: 'tool_call',
  content: '',
  ...(toolCallId !== undefined && { toolCallId }),
})
const result = (toolCallId?: string): JsonObject => ({
  role: 'tool_result',
  content: '',
  ...(toolCallId !== undefined && { toolCallId }),
})

/** One conversation a rule, which no other rule finds fault with. */
const BROKEN: Record<string, [messages: unknown[], pointer: string]> = {
  structure: [[user, 'x'], '/messages/1'],
  'known-role': [[user, { role: 'tool', content: 'x' }], '/messages/1/role'],
  'empty-content': [[user, { role: 'assistant', content: '' }], '/messages/1/content'],
  'duplicate-message-id': [
    [
      { ...user, id: 'a' },
      { ...user, id: 'a' },
    ],
    '/messages/1/id',
  ],
  'call-without-result': [[call('a'), call('b'), result('b'), user], '/messages/0'],
  'result-without-call': [[call(), result(), result(), user], '/messages/2'],
  'result-misplaced': [[call('a'), result('a'), user, result('a')], '/messages/3'],
  'duplicate-result': [[call('a'), result('a'), result('a')], '/messages/2'],
  'duplicate-call-id': [[call('a'), call('a'), result('a')], '/messages/1'],
}

describe('neurolink wire rules', () => {
  it.each(NEUROLINK_RULES.map(({ id }) => id))('%s is the only one to catch its case', (id) => {
    const [messages, pointer] = BROKEN[id] ?? [[], '']
    expect(rulesAt(neurolink, { messages } as JsonObject)).toEqual([`${id} ${pointer}`])
  })

  it('have one source each and unique names', () => {
    expect(new Set(NEUROLINK_RULES.map(({ id }) => id)).size).toBe(NEUROLINK_RULES.length)
    for (const { source } of NEUROLINK_RULES) expect(source).not.toBe('')
  })

  it.each([
    ['the payments session', fixture('neurolink/payments-session.json')],
    ['the compacted session', fixture('neurolink/compacted-session.json')],
    ['batches that follow each other', { messages: [call(), result(), call(), result()] }],
    ['parallel calls without ids', { messages: [call(), call(), result(), result(), user] }],
    ['pending calls at the tail', { messages: [user, call('a'), call('b'), result('b')] }],
    [
      'an id used again in a later batch',
      { messages: [call('a'), result('a'), user, call('a'), result('a')] },
    ],
  ])('find nothing in %s', (_, payload) => {
    expect(rulesAt(neurolink, payload as JsonObject)).toEqual([])
  })

  it.each([
    [
      'text between a call and its result',
      [call('a'), talk, result('a')],
      ['call-without-result /messages/0', 'result-misplaced /messages/2'],
    ],
    [
      'a missing result in a batch without ids',
      [call(), call(), result(), user],
      ['call-without-result /messages/1'],
    ],
    [
      'an id used again, with messages without one between',
      [{ ...user, id: 'a' }, user, { ...user, id: 'a' }],
      ['duplicate-message-id /messages/2/id'],
    ],
    ['a result that nobody called for', [user, result('a')], ['result-without-call /messages/1']],
    [
      'content that is null or an empty list',
      [
        { role: 'user', content: null },
        { role: 'user', content: [] },
      ],
      ['empty-content /messages/0/content', 'empty-content /messages/1/content'],
    ],
  ])('see %s', (_, messages, expected) => {
    expect(rulesAt(neurolink, { messages } as JsonObject)).toEqual(expected)
  })
})
