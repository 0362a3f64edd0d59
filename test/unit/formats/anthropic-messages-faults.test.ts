import { describe, expect, it } from 'vitest'
import { anthropicMessages } from '../../../src/formats/anthropic-messages/index.ts'
import { faultsOf, parse } from './support.ts'

const user = { role: 'user', content: 'hi' }

describe('anthropic-messages faults', () => {
  const block = (value: unknown) => ({ messages: [user, { role: 'user', content: [value] }] })
  it.each([
    [
      'an unknown role',
      { messages: [{ role: 'tool', content: 'x' }] },
      '/messages/0/role',
      'role-unknown',
    ],
    [
      'content of a wrong type',
      { messages: [user, { role: 'user', content: 4 }] },
      '/messages/1/content',
      'content-type',
    ],
    ['a block without a type', block({ text: 'x' }), '/messages/1/content/0', 'part-object'],
    [
      'a call without an id',
      block({ type: 'tool_use', name: 'f', input: {} }),
      '/messages/1/content/0/id',
      'call-id',
    ],
    [
      'a result without an id',
      block({ type: 'tool_result', content: 'x' }),
      '/messages/1/content/0/tool_use_id',
      'call-id',
    ],
    [
      'a result of a wrong type',
      block({ type: 'tool_result', tool_use_id: 'a', content: 5 }),
      '/messages/1/content/0/content',
      'content-type',
    ],
    [
      'a part of a result that is no object',
      block({ type: 'tool_result', tool_use_id: 'a', content: ['x'] }),
      '/messages/1/content/0/content/0',
      'part-object',
    ],
    ['a system prompt of a wrong type', { messages: [user], system: 5 }, '/system', 'system-type'],
    [
      'a system block that is no object',
      { messages: [user], system: ['x'] },
      '/system/0',
      'part-object',
    ],
    ['tools of a wrong type', { messages: [user], tools: {} }, '/tools', 'tools-array'],
  ])('name the place and the rule of %s', (_, payload, pointer, rule) => {
    const faults = faultsOf(anthropicMessages, parse(JSON.stringify(payload)))
    expect(faults.map((fault) => [fault.pointer, fault.rule])).toEqual([[pointer, rule]])
  })
})
