import { describe, expect, it } from 'vitest'
import { closeLinks } from '../../../src/engine/groups.ts'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { gemini } from '../../../src/formats/gemini/index.ts'
import { read } from './support.ts'

/** `f` is a call of f without an id, `f:1` one with the id 1, `>f` and `>f:1` are their responses. */
const toPart = (word: string): JsonObject => {
  const [name = '', id] = word.replace('>', '').split(':')
  const body = { name, ...(id !== undefined && { id }) }
  if (word.startsWith('>')) return { functionResponse: { ...body, response: { output: 'r' } } }
  return word.startsWith('"') ? { text: word } : { functionCall: { ...body, args: { word } } }
}

/** A content a line: `user "hi`, `model f f`, `user >f >f`. */
const conversation = (...lines: string[]): JsonObject => ({
  contents: lines.map((line) => {
    const [role = '', ...words] = line.split(' ')
    return { role, parts: words.map(toPart) }
  }),
})

const readLines = (...lines: string[]) => read(gemini, conversation(...lines))

const idsOf = (...lines: string[]): (string | undefined)[][] =>
  readLines(...lines).entries.map(({ parts }) => parts.map(({ callId }) => callId))

const warningsOf = (...lines: string[]): string[] =>
  readLines(...lines).warnings.map(({ code, pointer }) => `${code} ${pointer}`)

const groupsOf = (...lines: string[]): (readonly number[])[] =>
  [...closeLinks(readLines(...lines)).members.values()].filter(({ length }) => length > 1)

describe('gemini calls and responses', () => {
  it('are paired by id, in any order', () => {
    const [, calls, results] = idsOf('user "hi', 'model f:1 g:2 f:3', 'user >f:3 >g:2 >f:1')
    expect(calls).toEqual(['1', '2', '3'])
    expect(results).toEqual(['3', '2', '1'])
  })

  it('are paired by name, in order, where responses have no id', () => {
    const [, calls = [], results] = idsOf('user "hi', 'model f g f', 'user >f >f >g')
    expect(new Set(calls).size).toBe(3)
    expect(results).toEqual([calls[0], calls[2], calls[1]])
  })

  it('are paired by name where only the call has an id', () => {
    const [, , results] = idsOf('user "hi', 'model f:1 f:2', 'user >f >f')
    expect(results).toEqual(['1', '2'])
    expect(idsOf('user "hi', 'model f:1 f:2', 'user >f:1 >f')[2]).toEqual(['1', '2'])
  })

  it('are paired by name where a client made up the id of the response', () => {
    const [, calls = [], results] = idsOf('user "hi', 'model f f', 'user >f:x1 >f:x2')
    expect(results).toEqual(calls)
    expect(warningsOf('user "hi', 'model f f', 'user >f:x1 >f:x2')).toEqual([])
  })

  it('are not paired by name where the call has another id', () => {
    const lines = ['user "hi', 'model f:1', 'user >f:2', 'user "so?']
    expect(warningsOf(...lines)).toEqual([
      'orphan-tool-result /contents/2/parts/0',
      'unanswered-tool-call /contents/1/parts/0',
    ])
  })

  it('are paired with the nearest calls of that name', () => {
    const [, first, , second, results] = idsOf(
      'user "hi',
      'model f',
      'user "no',
      'model f f',
      'user >f >f',
    )
    expect(results).toEqual(second)
    expect(results).not.toContain(first?.[0])
  })

  it('are one unit with all calls of their content, also over several contents', () => {
    const parallel = ['user "hi', 'model f:1 g:2', 'user >f:1', 'function >g:2', 'model "ok']
    expect(groupsOf(...parallel)).toEqual([[1, 2, 3]])
    expect(groupsOf('user "hi', 'model f', 'user >f', 'model f', 'user >f')).toEqual([
      [1, 2],
      [3, 4],
    ])
  })

  it('keep exchanges apart that use an id again', () => {
    const lines = ['user "hi', 'model f:1', 'user >f:1', 'model f:1', 'user >f:1']
    expect(groupsOf(...lines)).toEqual([
      [1, 2],
      [3, 4],
    ])
    expect(warningsOf(...lines)).toEqual(['duplicate-call-id /contents/3/parts/0'])
  })

  it('keep a second response with the call that it names, whose id another call has too', () => {
    const lines = ['user "hi', 'model f:1', 'user >f:1', 'model g:1', 'user >g:1', 'user >f']
    expect(groupsOf(...lines)).toEqual([
      [1, 2, 5],
      [3, 4],
    ])
  })

  it('are paired by an id that is used again with the nearest open call', () => {
    const twice = ['user "hi', 'model f:1', 'user "so?', 'model f:1']
    expect(idsOf(...twice, 'user >f >f:1')[4]).toEqual(['1#2', '1'])
    expect(idsOf(...twice, 'user >f:1 >f:1 >f:1')[4]).toEqual(['1#2', '1', '1#2'])
  })

  it('are told where a call is answered twice, or nobody asked', () => {
    expect(warningsOf('user "hi', 'model f', 'user >f >f')).toEqual([
      'duplicate-tool-result /contents/2/parts/1',
    ])
    expect(warningsOf('user >f', 'model f:1', 'user >f:1')).toEqual([
      'orphan-tool-result /contents/0/parts/0',
    ])
  })

  it.each([
    ['at the end', ['user "hi', 'model f g:2'], 2],
    ['with some responses after it', ['user "hi', 'model f g:2', 'user >g:2'], 1],
    [
      'with responses in two contents after it',
      ['user "hi', 'model f g h', 'user >f', 'user >g'],
      1,
    ],
  ])('are pending %s', (_, lines, count) => {
    const { entries, warnings } = readLines(...lines)
    expect(entries[1]?.unresolvedCalls).toHaveLength(count)
    expect(warnings).toEqual([])
  })

  it('are unanswered as soon as something else follows', () => {
    const lines = ['user "hi', 'model f', 'user "never mind']
    expect(warningsOf(...lines)).toEqual(['unanswered-tool-call /contents/1/parts/0'])
    expect(readLines(...lines).entries[1]?.unresolvedCalls).toHaveLength(1)
    expect(warningsOf('user "hi', 'model f', 'user >f "and?', 'model g', 'user "x >g')).toEqual([])
  })

  it('pair the tools that Google runs by their ids', () => {
    const call = { toolCall: { id: 's', toolType: 'GOOGLE_SEARCH_WEB' } }
    const result = { tool_response: { id: 's', toolType: 'GOOGLE_SEARCH_WEB', response: {} } }
    const contents = [
      { parts: [{ text: 'hi' }] },
      { role: 'model', parts: [call] },
      { role: 'model', parts: [result, { text: 'found' }] },
    ]
    const transcript = read(gemini, { contents })
    expect(closeLinks(transcript).members.get(1)).toEqual([1, 2])
    expect(transcript.warnings).toEqual([])
  })
})
