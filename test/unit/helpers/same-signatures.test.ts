import { describe, expect, it } from 'vitest'
import { sameSignatures } from '../../helpers/wire-rules/index.ts'

const thinking = (signature: string) => ({ type: 'thinking', thinking: 'Compare.', signature })
const redacted = { type: 'redacted_thinking', data: 'EmwK' }
const text = { type: 'text', text: 'So be it.' }
const use = (id: string) => ({ type: 'tool_use', id, name: 'f', input: {} })
const user = { role: 'user', content: 'Hello.' }
const assistant = (...content: unknown[]) => ({ role: 'assistant', content })

const first = assistant(thinking('one'), redacted, text)
const second = assistant(thinking('two'), use('a'))
const same = (after: unknown[]) =>
  sameSignatures({ messages: [user, first, user, second] }, { messages: after })

describe('sameSignatures', () => {
  it.each<[string, unknown[]]>([
    ['nothing changed', [user, first, user, second]],
    ['a whole message is gone', [user, second]],
    ['all of them are gone', [user]],
    [
      'text beside the thinking was shortened',
      [user, assistant(thinking('one'), redacted, { ...text, text: 'So' }), second],
    ],
    [
      'a message without thinking came in',
      [user, { role: 'assistant', content: 'Summary.' }, second],
    ],
  ])('holds where %s', (_, after) => {
    expect(same(after)).toBe(true)
  })

  it.each<[string, unknown[]]>([
    ['a signature was altered', [user, assistant(thinking('ONE'), redacted, text), second]],
    [
      'the thinking text was altered',
      [user, assistant({ ...thinking('one'), thinking: 'C.' }, redacted, text), second],
    ],
    ['one of two signed blocks is gone', [user, assistant(thinking('one'), text), second]],
    ['signed blocks changed places', [user, assistant(redacted, thinking('one'), text), second]],
    ['thinking came into another message', [user, assistant(thinking('two'), text), second]],
    ['messages changed places', [user, second, first]],
    ['a call lost its thinking', [user, first, assistant(use('a'))]],
    [
      'a call lost its thinking and was itself edited',
      [user, first, assistant({ ...use('a'), input: { short: true } })],
    ],
    ['a message lost its thinking and kept its text', [user, assistant(text), second]],
  ])('fails where %s', (_, after) => {
    expect(same(after)).toBe(false)
  })

  it('tells a bare copy that was there before from one that was stripped', () => {
    const before = { messages: [user, first, assistant(text)] }
    expect(sameSignatures(before, { messages: [user, assistant(text)] })).toBe(true)
    expect(sameSignatures(before, { messages: [user, assistant(text), assistant(text)] })).toBe(
      false,
    )
  })
})
