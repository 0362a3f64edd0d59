import { describe, expect, it } from 'vitest'
import { closeLinks } from '../../../src/engine/groups.ts'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { neurolink } from '../../../src/formats/neurolink/index.ts'
import { read } from './support.ts'

const user = (content = 'u'): JsonObject => ({ id: `u-${content}`, role: 'user', content })
const call = (toolCallId?: string, more: JsonObject = {}): JsonObject => ({
  role: 'tool_call',
  content: '',
  tool: 'f',
  args: { n: 1 },
  ...(toolCallId !== undefined && { toolCallId }),
  ...more,
})
const result = (toolCallId?: string, content = 'r'): JsonObject => ({
  role: 'tool_result',
  content,
  ...(toolCallId !== undefined && { toolCallId }),
})

const groupsOf = (messages: JsonObject[]): number[][] =>
  [...closeLinks(read(neurolink, { messages })).members.values()].map((members) => [...members])
const codes = (messages: JsonObject[]): string[] =>
  read(neurolink, { messages }).warnings.map(({ code, pointer }) => `${code} ${pointer}`)
const callIds = (messages: JsonObject[]): (string | undefined)[] =>
  read(neurolink, { messages }).entries.map(({ parts }) => parts.at(-1)?.callId)

describe('neurolink pairs', () => {
  it('keep a batch of parallel calls and results together, in any order of ids', () => {
    const messages = [user(), call('a'), call('b'), result('b'), result('a'), user()]
    expect(groupsOf(messages)).toEqual([[0], [1, 2, 3, 4], [5]])
    expect(callIds(messages)).toEqual([undefined, 'a', 'b', 'b', 'a', undefined])
    expect(codes([user('1'), ...messages.slice(1)])).toEqual([])
  })

  it('name the tool of a result, and of the error beside it, by the call', () => {
    const failed = { ...result('a'), result: { success: false, error: 'no' } }
    const { entries } = read(neurolink, { messages: [call('a'), failed] })
    expect(entries[1]?.parts.map(({ callId, toolName }) => [callId, toolName])).toEqual([
      ['a', 'f'],
      ['a', 'f'],
    ])
  })

  it('do not join batches that follow each other', () => {
    expect(groupsOf([call(), result(), call(), result()])).toEqual([
      [0, 1],
      [2, 3],
    ])
  })

  it('pair by position inside a batch where ids are missing', () => {
    const messages = [call(), call('b'), result(), result('b')]
    expect(callIds(messages)).toEqual(['position:0', 'position:1', 'position:0', 'position:1'])
    expect(codes(messages)).toEqual([])
  })

  it('leave the text before a call outside its batch', () => {
    const messages = [{ role: 'assistant', content: 'let me see' }, call(), result()]
    expect(groupsOf(messages)).toEqual([[0], [1, 2]])
  })

  it('pair across text, by id and by position', () => {
    const talk = { role: 'assistant', content: 'wait' }
    expect(groupsOf([call('a'), talk, result('a')])).toEqual([[0, 2], [1]])
    expect(groupsOf([call(), call(), talk, result(), result()])).toEqual([[0, 1, 3, 4], [2]])
  })

  it('tell of results without calls, calls without results, and ids used again', () => {
    expect(codes([result('ghost'), user()])).toEqual(['orphan-tool-result /messages/0'])
    expect(codes([call(), result(), result(), user()])).toEqual(['orphan-tool-result /messages/2'])
    expect(codes([call('a'), call('b'), result('b'), user()])).toEqual([
      'unanswered-tool-call /messages/0',
    ])
    expect(codes([call('a'), result('a'), user(), call('a'), result('a')])).toEqual([
      'duplicate-call-id /messages/3',
    ])
    expect(codes([user('same'), user('same')])).toEqual(['duplicate-message-id /messages/1/id'])
  })

  it('do not corrupt a healthy log of parallel calls', () => {
    const log = Array.from({ length: 300 }, () => [
      call(),
      call(),
      call(),
      result(),
      result(),
      result(),
    ]).flat()
    expect(codes(log)).toEqual([])
    expect(groupsOf(log)).toHaveLength(300)
  })

  it('are silent about calls that are pending at the tail', () => {
    for (const messages of [
      [user(), call('a'), call('b')],
      [user(), call('a'), call('b'), result('b')],
      [user(), call(), call(), result()],
    ]) {
      const transcript = read(neurolink, { messages })
      expect(transcript.warnings).toEqual([])
      expect(transcript.entries.flatMap(({ unresolvedCalls }) => unresolvedCalls)).not.toEqual([])
    }
  })
})
