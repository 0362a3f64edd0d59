import { describe, expect, it } from 'vitest'
import { PrecisError } from '../../../src/engine/errors.ts'
import { closeLinks } from '../../../src/engine/groups.ts'
import type { JsonObject, JsonValue } from '../../../src/engine/transcript.ts'
import { openaiResponses } from '../../../src/formats/openai-responses/index.ts'
import { compactWith } from '../seeds/support.ts'
import { faultsOf, read, rulesAt } from './support.ts'

const user: JsonObject = { role: 'user', content: 'u' }
const call = (call_id: string): JsonObject => ({
  type: 'function_call',
  call_id,
  name: 'look',
  arguments: '{}',
})
const result = (call_id: string, output = 'r'): JsonObject => ({
  type: 'function_call_output',
  call_id,
  output,
})
const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `c${i}`)

function nested(levels: number): JsonValue {
  let value: JsonValue = 'x'
  for (let level = 0; level < levels; level += 1) value = { in: [value] }
  return value
}

const codesOf = (...input: JsonValue[]): string[] =>
  read(openaiResponses, { input }).warnings.map(({ code, pointer }) => `${code} ${pointer}`)
const brokenBy = (...input: JsonValue[]): string[] => rulesAt(openaiResponses, { input })

describe('bad input of the Responses API is told, never repaired', () => {
  it.each<[string, JsonValue[], string[], string[]]>([
    [
      'a call that is answered twice',
      [call('a'), result('a'), result('a'), user],
      ['duplicate-tool-result /input/2'],
      ['duplicate-result /input/2'],
    ],
    [
      'a result before its call',
      [result('a'), call('a'), user],
      ['orphan-tool-result /input/0', 'unanswered-tool-call /input/1'],
      ['call-without-result /input/1', 'result-without-call /input/0'],
    ],
    [
      'an id that is used again in a later turn',
      [call('a'), result('a'), user, call('a'), result('a')],
      ['duplicate-call-id /input/3'],
      ['duplicate-call-id /input/3'],
    ],
    [
      'nothing but results',
      [result('a'), result('b')],
      ['orphan-tool-result /input/0', 'orphan-tool-result /input/1'],
      ['result-without-call /input/0', 'result-without-call /input/1'],
    ],
    [
      'parts of another API',
      [{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] }, user],
      [],
      [],
    ],
    [
      'empty lists',
      [
        { role: 'user', content: [] },
        { type: 'reasoning', summary: [] },
        { type: 'shell_call_output', call_id: 'a', output: [] },
      ],
      ['orphan-tool-result /input/2'],
      ['empty-content /input/0', 'result-without-call /input/2', 'reasoning-without-item /input/1'],
    ],
  ])('%s', (_, input, warnings, rules) => {
    expect(codesOf(...input)).toEqual(warnings)
    expect(brokenBy(...input)).toEqual(rules)
  })

  it('counts and keeps parts of another API as what nobody knows', () => {
    const part = { type: 'tool_use', id: 'a', name: 'f', input: {} }
    const { entries } = read(openaiResponses, { input: [{ role: 'user', content: [part] }] })
    expect(entries[0]?.parts).toMatchObject([{ kind: 'opaque', rewritable: false }])
  })

  it('refuses messages of another API, with their places', () => {
    const input = [user, { role: 'tool', tool_call_id: 'a', content: 'r' }, { content: 'x' }]
    expect(faultsOf(openaiResponses, { input }).map(({ pointer }) => pointer)).toEqual([
      '/input/1/role',
      '/input/2/role',
    ])
  })

  it('reads a thousand parallel calls, and keeps them together with what led to them', () => {
    const ids = numbered(1000)
    const input = [
      user,
      { type: 'reasoning', summary: [] },
      ...ids.map(call),
      ...[...ids].reverse().map((id) => result(id)),
      user,
    ]
    expect([...closeLinks(read(openaiResponses, { input })).members.keys()]).toEqual([0, 1, 2002])
    expect(brokenBy(...input)).toEqual([])
  })

  it('reads arguments and unknown items that are nested 200 levels deep', () => {
    const input = [
      { type: 'x_call', y: nested(100) },
      { ...call('a'), arguments: nested(100) },
      result('a'),
    ]
    const { entries } = read(openaiResponses, { input })
    expect(entries.map(({ parts }) => (parts[0]?.tokens ?? 0) > 800)).toEqual([true, true, false])
  })

  it('compacts what it was sent broken without breaking more of it', async () => {
    const long = 'word '.repeat(300)
    const input = [
      user,
      result('lost', long),
      call('a'),
      result('a', long),
      result('a', long),
      { type: 'reasoning', summary: [] },
      user,
      call('never'),
      { role: 'assistant', content: long },
      call('a'),
      result('a', long),
      user,
    ]
    const before = brokenBy(...input)
    for (const targetTokens of [200, 300, 500, 900]) {
      const outcome = await compactWith({ format: 'openai-responses', input, targetTokens })
      expect(outcome.brokenRules).toEqual([])
      expect(brokenBy(...outcome.messages).length).toBeLessThanOrEqual(before.length)
      expect(outcome.report.tokensAfter).toBeLessThan(outcome.report.tokensBefore)
    }
  })

  it.each([[[]], ['']])('refuses an empty input: %j', async (input) => {
    await expect(
      compactWith({ format: 'openai-responses', input, targetTokens: 10 }),
    ).rejects.toThrow(PrecisError)
  })
})
