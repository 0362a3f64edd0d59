import { expect, test } from 'vitest'
import { listMemberOf } from '../../../src/cli/input/list-member.ts'

test('a bare list is named by the structure of its items', () => {
  expect(listMemberOf([{ role: 'user', content: 'hi' }])).toBe('messages')
  expect(listMemberOf([{ role: 'user', content: [{ type: 'text', text: 'hi' }] }])).toBe('messages')
  expect(listMemberOf([])).toBe('messages')
  expect(listMemberOf([{ role: 'user', parts: [{ text: 'hi' }] }])).toBe('contents')
  expect(listMemberOf([{ type: 'message', role: 'user', content: 'hi' }])).toBe('input')
  expect(
    listMemberOf([
      { role: 'user', content: 'hi' },
      { type: 'function_call', call_id: 'c' },
    ]),
  ).toBe('input')
  expect(listMemberOf([{ role: 'user', content: [{ type: 'input_text', text: 'hi' }] }])).toBe(
    'input',
  )
})
