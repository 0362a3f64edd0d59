import { describe, expect, it } from 'vitest'
import { findAiSdkChanges } from '../../helpers/wire-rules/ai-sdk-changes.ts'

const assistant = (...content: unknown[]) => ({ role: 'assistant', content })
const user = { role: 'user', content: 'Hello.' }
const text = { type: 'text', text: 'So be it.' }
const reasoning = (signature: string) => ({
  type: 'reasoning',
  text: 'Compare.',
  providerOptions: { anthropic: { signature } },
})
const file = { type: 'reasoning-file', mediaType: 'image/png', data: 'iVBORw0=' }
const bareCall = { type: 'tool-call', toolCallId: 'a', toolName: 'f', input: {} }
const call = { ...bareCall, providerOptions: { google: { thoughtSignature: 'two' } } }

const first = assistant(reasoning('one'), file, text)
const second = assistant(call, { ...bareCall, toolCallId: 'b' })
const before = { messages: [user, first, user, second] }
const changesOf = (...messages: unknown[]) => findAiSdkChanges(before, { messages })

describe('changes of a conversation of ModelMessages', () => {
  it.each<[string, unknown[]]>([
    ['nothing changed', before.messages],
    ['a whole message is gone', [user, second]],
    [
      'text beside the reasoning was shortened',
      [user, assistant(reasoning('one'), file, { ...text, text: 'So' })],
    ],
    [
      'a message without reasoning came in',
      [user, assistant({ ...text, text: 'Summary.' }), second],
    ],
    ['a message of plain text came in', [user, { role: 'assistant', content: 'Summary.' }, second]],
  ])('are none where %s', (_, messages) => {
    expect(changesOf(...messages)).toEqual([])
  })

  it.each<[string, unknown, number]>([
    ['a signature was altered', assistant(reasoning('ONE'), file, text), 0],
    [
      'the text of a reasoning was altered',
      assistant({ ...reasoning('one'), text: 'C.' }, file, text),
      0,
    ],
    [
      'the options of a reasoning are gone',
      assistant({ type: 'reasoning', text: 'Compare.' }, file, text),
      0,
    ],
    ['a reasoning file was altered', assistant(reasoning('one'), { ...file, data: '' }, text), 1],
    [
      'the signature of a call was altered',
      assistant({ ...call, providerOptions: { google: { thoughtSignature: 'x' } } }),
      0,
    ],
    ['the signature of a call was cut', assistant(bareCall), 0],
    ['a signed call was altered', assistant({ ...call, input: { short: true } }), 0],
  ])('are named where %s', (_, message, position) => {
    expect(changesOf(user, message)).toEqual([
      { rule: 'sealed-changed', pointer: `/messages/1/content/${position}` },
    ])
  })

  it.each<[string, unknown]>([
    ['one of two reasoning parts is gone', assistant(file, text)],
    ['all reasoning is gone', assistant(text)],
    ['reasoning parts changed places', assistant(file, reasoning('one'), text)],
  ])('are named where %s', (_, message) => {
    expect(changesOf(user, message)).toEqual([{ rule: 'reasoning-parted', pointer: '/messages/1' }])
  })

  it('tell a bare copy that was there before from one that was stripped', () => {
    const both = { messages: [user, first, assistant(text)] }
    expect(findAiSdkChanges(both, { messages: [user, assistant(text)] })).toEqual([])
    expect(findAiSdkChanges(both, { messages: [assistant(text), assistant(text)] })).toEqual([
      { rule: 'reasoning-parted', pointer: '/messages/1' },
    ])
  })
})
