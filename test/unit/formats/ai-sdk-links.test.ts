import { describe, expect, it } from 'vitest'
import { closeLinks } from '../../../src/engine/groups.ts'
import { protect } from '../../../src/engine/protection.ts'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { aiSdk } from '../../../src/formats/ai-sdk/index.ts'
import { fixture, read } from './support.ts'

const user: JsonObject = { role: 'user', content: 'u' }
const says = (...content: JsonObject[]): JsonObject => ({ role: 'assistant', content })
const gives = (...content: JsonObject[]): JsonObject => ({ role: 'tool', content })
const text: JsonObject = { type: 'text', text: 'a' }
const thought: JsonObject = { type: 'reasoning', text: 't' }
const call = (toolCallId: string, more: JsonObject = {}): JsonObject => ({
  type: 'tool-call',
  toolCallId,
  toolName: `f_${toolCallId}`,
  input: {},
  ...more,
})
const result = (toolCallId: string): JsonObject => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'f',
  output: { type: 'text', value: 'r' },
})
const asks = (approvalId: string, toolCallId: string): JsonObject => ({
  type: 'tool-approval-request',
  approvalId,
  toolCallId,
})
const answers = (approvalId: string, approved = true): JsonObject => ({
  type: 'tool-approval-response',
  approvalId,
  approved,
})

const groupsOf = (...messages: JsonObject[]): number[][] =>
  [...closeLinks(read(aiSdk, { messages })).members.values()].map((members) => [...members])
const codes = (...messages: JsonObject[]): string[] =>
  read(aiSdk, { messages }).warnings.map(({ code, pointer }) => `${code} ${pointer}`)
const unresolved = (...messages: JsonObject[]): (readonly string[])[] =>
  read(aiSdk, { messages }).entries.map(({ unresolvedCalls }) => unresolvedCalls)
/** Why each entry may not be dropped, where nothing is recent. */
const reasons = (...messages: JsonObject[]) => {
  const transcript = read(aiSdk, { messages })
  const groups = closeLinks(transcript)
  const protection = protect({ transcript, groups, protectRecent: 0, pins: new Set() })
  return transcript.entries.map(({ index }) => protection.reason(index))
}

describe('ai-sdk links', () => {
  it('join the greenhouse exchanges, and nothing else', () => {
    const transcript = read(aiSdk, fixture('ai-sdk/greenhouse.json'))
    const groups = [...closeLinks(transcript).members.values()].filter(({ length }) => length > 1)
    expect(groups).toEqual([
      [2, 3],
      [4, 5],
      [8, 9],
      [12, 13],
    ])
  })

  it('join parallel calls with all of their results, whatever their messages and order', () => {
    const messages = [
      user,
      says(call('a'), call('b'), call('c')),
      gives(result('c')),
      gives(result('a'), result('b')),
      user,
    ]
    expect(groupsOf(...messages)).toEqual([[0], [1, 2, 3], [4]])
    expect(codes(...messages)).toEqual([])
  })

  it('join the call of a provider with the result that comes a step later', () => {
    const providers = call('p', { providerExecuted: true })
    const messages = [
      user,
      says(providers, call('a')),
      gives(result('a')),
      says(result('p'), text),
      user,
    ]
    expect(groupsOf(...messages)).toEqual([[0], [1, 2, 3], [4]])
    expect(codes(...messages)).toEqual([])
  })

  it('join an approval with its call, and its answer and the late result with both', () => {
    const messages = [
      user,
      says(call('a'), asks('p', 'a')),
      gives(answers('p')),
      gives(result('a')),
      says(text),
      user,
    ]
    expect(groupsOf(...messages)).toEqual([[0], [1, 2, 3], [4], [5]])
    expect(unresolved(...messages).flat()).toEqual([])
    const later = [
      user,
      says(call('a'), call('b')),
      gives(result('b')),
      says(text, asks('p', 'a')),
      gives(result('a')),
      user,
    ]
    expect(groupsOf(...later)).toEqual([[0], [1, 2, 3, 4], [5]])
    const apart = [user, says(call('a')), says(text, asks('p', 'a')), gives(answers('p'))]
    expect(groupsOf(...apart)).toEqual([[0], [1, 2, 3]])
  })

  it("join what a provider's code called with that code", () => {
    const caller = { anthropic: { caller: { type: 'code_execution_20250825', toolId: 'p' } } }
    const messages = [
      user,
      says(call('p', { providerExecuted: true }), call('a', { providerOptions: caller })),
      gives(result('a')),
      says(call('b', { providerOptions: caller })),
      gives(result('b')),
      says(text),
    ]
    expect(groupsOf(...messages)).toEqual([[0], [1, 2, 3, 4, 5]])
    expect(groupsOf(...messages, user)).toEqual([[0], [1, 2, 3, 4], [5], [6]])
  })

  it('do not chain exchanges that use the same id again', () => {
    const turn = [says(call('a')), gives(result('a')), user]
    expect(groupsOf(...turn, ...turn)).toEqual([[0, 1], [2], [3, 4], [5]])
    expect(codes(...turn, ...turn)).toEqual(['duplicate-call-id /messages/3/content/0'])
    const step = [says(call('a')), gives(result('a'))]
    expect(groupsOf(user, ...step, ...step, ...step)).toEqual([[0], [1, 2], [3, 4], [5, 6]])
  })

  it('keep together what one id makes of calls that may both be open', () => {
    expect(
      groupsOf(says(call('a')), says(text), says(call('a')), gives(result('a')), user),
    ).toEqual([[0, 2, 3], [1], [4]])
    const late = [says(call('a')), user, says(call('a')), gives(result('a')), gives(result('a'))]
    expect(groupsOf(...late)).toEqual([[0, 2, 3, 4], [1]])
  })

  it('keep neighbouring messages of the assistant together where one of them thinks', () => {
    expect(groupsOf(user, says(thought), says(text), says(text), user)).toEqual([
      [0],
      [1, 2, 3],
      [4],
    ])
    expect(groupsOf(user, says(text), says(text), user)).toEqual([[0], [1], [2], [3]])
    expect(groupsOf(user, says(thought, text), user, says(thought, text))).toEqual([
      [0],
      [1],
      [2],
      [3],
    ])
    const file = { type: 'reasoning-file', data: 'AA==', mediaType: 'image/png' }
    expect(groupsOf(says(file), says(text))).toEqual([[0, 1]])
  })

  it.each([
    ['a call', [user, says(call('a'))]],
    ['a call of several', [user, says(call('b'), call('a')), gives(result('b'))]],
    ['an approval that nobody has answered', [user, says(call('a'), asks('p', 'a'))]],
    [
      'a tool whose approval is answered, and that has not run',
      [user, says(call('a'), asks('p', 'a')), gives(answers('p'))],
    ],
    [
      'a tool whose approval was denied, and that has no denial yet',
      [user, says(call('a'), asks('p', 'a')), gives(answers('p', false))],
    ],
    [
      "a provider's tool whose approval is answered",
      [user, says(call('a', { providerExecuted: true }), asks('p', 'a')), gives(answers('p'))],
    ],
  ])('pin %s that waits at the end, all of it, and warn of nothing', (_, messages) => {
    expect(codes(...messages)).toEqual([])
    expect(unresolved(...messages)[1]).toEqual(['a'])
    expect(reasons(...messages)).toEqual([
      'first-task',
      'unresolved-call',
      ...messages.slice(2).map(() => 'linked'),
    ])
  })

  it('let nothing come between a call that waits and the end', () => {
    expect(groupsOf(user, says(text), says(call('a')), says(text), gives(result('x')))).toEqual([
      [0],
      [1],
      [2, 3, 4],
    ])
  })

  it('pin a call that nobody answered before the user went on, and say so', () => {
    const messages = [user, says(call('a'), asks('p', 'a')), gives(answers('p')), user, says(text)]
    expect(codes(...messages)).toEqual(['unanswered-tool-call /messages/1/content/0'])
    expect(reasons(...messages)).toEqual([
      'first-task',
      'unresolved-call',
      'linked',
      'current-request',
      undefined,
    ])
  })

  it('take instructions for the end of an exchange too', () => {
    const messages = [user, says(call('a')), { role: 'system', content: 's' }]
    expect(codes(...messages)).toEqual(['unanswered-tool-call /messages/1/content/0'])
  })

  it('say what has lost its counterpart', () => {
    expect(
      codes(
        gives(result('x'), answers('q')),
        says(call('a'), asks('p', 'gone'), call('b')),
        gives(result('a'), result('a'), result('b')),
      ),
    ).toEqual([
      'orphan-tool-result /messages/0/content/0',
      'duplicate-tool-result /messages/2/content/1',
      'orphan-approval-response /messages/0/content/1',
      'orphan-approval-request /messages/1/content/1',
    ])
  })
})
