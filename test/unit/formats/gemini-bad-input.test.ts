import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src/engine/transcript.ts'
import { verdictOf } from '../../../src/formats/evidence.ts'
import { gemini } from '../../../src/formats/gemini/index.ts'
import { detectFormat } from '../../../src/formats/index.ts'
import { countTokens, plan, read, rulesAt } from './support.ts'

const user = { role: 'user', parts: [{ text: 'hi' }] }
const call = (id: string): JsonObject => ({ functionCall: { id, name: 'f', args: {} } })
const response = (id: string): JsonObject => ({
  functionResponse: { id, name: 'f', response: { output: 'r' } },
})
const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `c${i}`)

function nested(levels: number): JsonValue {
  let value: JsonValue = 'x'
  for (let level = 0; level < levels; level += 1) value = { a: value }
  return value
}

describe('bad gemini input', () => {
  it('is read with its faults told: a call answered twice, and responses before calls', () => {
    const contents = [
      { role: 'user', parts: [{ text: 'hi' }, response('early')] },
      { role: 'model', parts: [call('early')] },
      { role: 'user', parts: [response('early'), response('early')] },
    ]
    expect(read(gemini, { contents }).warnings.map(({ code }) => code)).toEqual([
      'orphan-tool-result',
      'duplicate-tool-result',
    ])
    expect(rulesAt(gemini, { contents })).toEqual([
      'result-without-call /contents/0/parts/1',
      'duplicate-result /contents/2/parts/1',
    ])
  })

  it('is read where ids are used again in later turns, each exchange by itself', () => {
    const turn = [
      user,
      { role: 'model', parts: [call('a')] },
      { role: 'user', parts: [response('a')] },
    ]
    const contents = [...turn, ...turn, ...turn]
    const { entries, warnings } = read(gemini, { contents })
    expect(new Set(entries.flatMap(({ parts }) => parts.map(({ callId }) => callId))).size).toBe(4)
    expect(warnings.map(({ code }) => code)).toEqual(['duplicate-call-id', 'duplicate-call-id'])
    expect(rulesAt(gemini, { contents })).toEqual([])
  })

  it('is read where a thousand calls are made at once', () => {
    const ids = numbered(1_000)
    const contents = [
      user,
      { role: 'model', parts: ids.map(call) },
      { role: 'user', parts: ids.map(response) },
    ]
    const { entries, warnings } = read(gemini, { contents })
    expect(entries[1]?.unresolvedCalls).toEqual([])
    expect(entries[2]?.parts).toHaveLength(1_000)
    expect(warnings).toEqual([])
    expect(rulesAt(gemini, { contents })).toEqual([])
    expect(rulesAt(gemini, { contents: [...contents.slice(0, 2), user] })).toHaveLength(1_000)
  })

  it('is read where there is nothing but responses, and where there is nothing', () => {
    const contents = numbered(3).map((id) => ({ role: 'user', parts: [response(id)] }))
    expect(read(gemini, { contents }).entries.map(({ role }) => role)).toEqual([
      'tool',
      'tool',
      'tool',
    ])
    expect(rulesAt(gemini, { contents })).toHaveLength(3)
    expect(read(gemini, { contents: [] })).toMatchObject({
      entries: [],
      beside: { framingTokens: 0 },
    })
    expect(rulesAt(gemini, { contents: [] })).toEqual([])
    expect(rulesAt(gemini, { contents: [user, { role: 'model', parts: [] }] })).toHaveLength(1)
  })

  it('is read where arguments and responses are 200 levels deep', () => {
    const deep = nested(200)
    const contents = [
      user,
      { role: 'model', parts: [{ functionCall: { name: 'f', args: { deep } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: { deep, n: 1 } } }] },
    ]
    const { entries } = read(gemini, { contents })
    expect(entries[1]?.parts[0]?.tokens).toBe(countTokens(`f(${JSON.stringify({ deep })})`))
    expect(rulesAt(gemini, { contents })).toEqual([])
    const edited = gemini.write({ contents }, plan({ replaced: { 2: { 0: 'x' } } }))
    expect(read(gemini, edited).entries[2]?.parts[0]?.text).toBe('x')
  })

  it('is read where the parts of other formats are mixed in, and these are kept', () => {
    const foreign = [
      { type: 'tool_use', id: 'a', name: 'f', input: {} },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
    ]
    const contents = [user, { role: 'model', parts: [{ type: 'text', text: 'said' }, ...foreign] }]
    const { entries } = read(gemini, { contents })
    expect(entries[1]?.parts.map(({ kind }) => kind)).toEqual(['text', 'opaque', 'opaque'])
    const edited = gemini.write({ contents }, plan({ replaced: { 1: { 0: 'x' } } }))
    expect(edited.contents).toEqual([
      user,
      { role: 'model', parts: [{ type: 'text', text: 'x' }, ...foreign] },
    ])
  })
})

describe('the detection of gemini', () => {
  const formatOf = (payload: JsonObject): unknown => {
    const detection = detectFormat(payload)
    return 'format' in detection ? detection.format : detection
  }

  it.each<[string, JsonObject, 'yes' | 'maybe' | 'no']>([
    ['parts', { contents: [user] }, 'yes'],
    ['the role of a model', { contents: [{ role: 'model' }] }, 'yes'],
    ['instructions beside it', { contents: [{}], system_instruction: 'be kind' }, 'yes'],
    [
      'tools that declare functions',
      { contents: [], tools: [{ functionDeclarations: [] }] },
      'yes',
    ],
    ['no evidence', { contents: [{ role: 'user' }] }, 'maybe'],
    ['messages of another format', { contents: [{ role: 'user', content: 'hi' }] }, 'no'],
    ['a role of another format', { contents: [{ role: 'assistant' }] }, 'no'],
  ])('goes by %s', (_, payload, verdict) => {
    expect(verdictOf(gemini.findEvidence(payload))).toBe(verdict)
  })

  it('takes contents that nothing speaks against', () => {
    expect(formatOf({ contents: [user] })).toBe('gemini')
    expect(formatOf({ contents: [{ role: 'user' }] })).toBe('gemini')
    expect(formatOf({ contents: [{ role: 'user', content: 'hi' }] })).toMatchObject({
      none: true,
      faults: [{ pointer: '/contents/0/content', rule: 'format-evidence' }],
    })
  })
})
