import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src/engine/transcript.ts'
import type { FormatAdapter, FormatId } from '../../../src/formats/adapter.ts'
import { MAX_DEPTH } from '../../../src/formats/depth.ts'
import { verdictOf } from '../../../src/formats/evidence.ts'
import { FORMATS } from '../../../src/formats/index.ts'
import { createReadContext } from '../../../src/formats/read-context.ts'
import { faultsOf, parse, plan, read } from './support.ts'

function nested(levels: number): JsonValue {
  let value: JsonValue = 'x'
  for (let level = 0; level < levels; level += 1) value = [value]
  return value
}

const ADAPTERS = Object.values(FORMATS)

/** The payload with its conversation under the member where the format has it. */
function inFormat({ list }: FormatAdapter, { messages, ...beside }: JsonObject): JsonObject {
  return messages === undefined ? beside : { [list]: messages, ...beside }
}

/** A user's message in every format: each reads its own member. */
const saying = (text: string): JsonObject => ({ role: 'user', content: text, parts: [{ text }] })

const TOKENS_OF_AN_IMAGE: Readonly<Record<FormatId, number>> = {
  'openai-chat': 765,
  'anthropic-messages': 1296,
  neurolink: 765,
  'openai-responses': 765,
  gemini: 1032,
  'ai-sdk': 765,
}

describe.each(ADAPTERS)('$id', (adapter) => {
  it.each([
    [
      'a message',
      {
        messages: [
          { role: 'user', content: 'a' },
          { role: 'user', content: 'b', x: nested(100_000) },
        ],
      },
      '/messages/1',
    ],
    ['a tool', { messages: [], tools: [{ name: 't', input_schema: nested(100_000) }] }, '/tools/0'],
    ['another member', { messages: [], 'x/y': { z: nested(100_000) } }, '/x~1y'],
    ['the messages themselves', { messages: [nested(100_000)] }, '/messages/0'],
  ])('refuses %s that is nested without end', (_, payload, pointer) => {
    const faults = faultsOf(adapter, inFormat(adapter, payload as JsonObject))
    expect(faults.map((fault) => [fault.pointer, fault.rule])).toEqual([
      [pointer.replace('/messages', `/${adapter.list}`), 'max-depth'],
    ])
  })

  it('takes nesting up to its limit, in objects and in arrays', () => {
    const deepest = nested(MAX_DEPTH - 1)
    const message = { ...saying('t'), x: deepest }
    expect(read(adapter, { [adapter.list]: [message] }).entries).toHaveLength(1)
    const deeper = { [adapter.list]: [{ ...message, x: [deepest] }] }
    expect(faultsOf(adapter, deeper)[0]?.rule).toBe('max-depth')
  })

  it('checks and writes what is nested without end', () => {
    const deep = nested(100_000)
    const payload = { [adapter.list]: [{ role: 'user', content: deep, parts: deep }, saying('b')] }
    expect(Array.isArray(adapter.check(payload))).toBe(true)
    const written = adapter.write(payload, plan({ dropped: [1] }))[adapter.list]
    expect(Array.isArray(written) && written.length).toBe(1)
  })

  it.each([
    '{}',
    '{"messages":null}',
    '{"messages":[null,1,"x",[],{},{"role":null},{"role":"user","content":{"__proto__":1}}]}',
    '{"messages":[{"role":"assistant","content":[null,1,[],{"type":"tool_use"},{"type":"tool_result","content":[null]}]}]}',
    '{"messages":[{"role":"assistant","tool_calls":[null,{}],"function_call":7}],"system":{},"tools":{}}',
    '{"__proto__":{"messages":[]},"constructor":{"messages":[]}}',
  ])('is total: %s', (text) => {
    const payload = inFormat(adapter, parse(text))
    expect(() => verdictOf(adapter.findEvidence(payload))).not.toThrow()
    expect(() => adapter.check(payload)).not.toThrow()
    expect(() => adapter.write(payload, plan({ dropped: [0] }))).not.toThrow()
    expect(faultsOf(adapter, payload)).not.toEqual([])
  })

  it('reads a text with half a surrogate pair as it is', () => {
    const { entries } = read(adapter, { [adapter.list]: [saying('a\ud83d')] })
    expect(entries[0]?.parts[0]?.text).toBe('a\ud83d')
  })

  it('counts media by the rules of the model', () => {
    const { countImage, countTokens } = createReadContext(
      adapter,
      (text) => text.length,
      'claude-sonnet-4-6',
    )
    expect(countImage({ width: 1000, height: 1000 })).toBe(1296)
    expect(countTokens('abc')).toBe(3)
    const byFormat = createReadContext(adapter, (text) => text.length).countImage({
      width: 1000,
      height: 1000,
    })
    expect(byFormat).toBe(TOKENS_OF_AN_IMAGE[adapter.id])
  })
})
