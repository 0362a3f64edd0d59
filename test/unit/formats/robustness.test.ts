import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src/engine/transcript.ts'
import { MAX_DEPTH } from '../../../src/formats/depth.ts'
import { FORMATS } from '../../../src/formats/index.ts'
import { createReadContext } from '../../../src/formats/read-context.ts'
import { faultsOf, parse, plan, read } from './support.ts'

function nested(levels: number): JsonValue {
  let value: JsonValue = 'x'
  for (let level = 0; level < levels; level += 1) value = [value]
  return value
}

const ADAPTERS = Object.values(FORMATS)

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
    expect(
      faultsOf(adapter, payload as JsonObject).map((fault) => [fault.pointer, fault.rule]),
    ).toEqual([[pointer, 'max-depth']])
  })

  it('takes nesting up to its limit, in objects and in arrays', () => {
    const deepest = nested(MAX_DEPTH - 1)
    const message = { role: 'user', content: [{ type: 'text', text: 't' }], x: deepest }
    expect(read(adapter, { messages: [message] }).entries).toHaveLength(1)
    expect(faultsOf(adapter, { messages: [{ ...message, x: [deepest] }] })[0]?.rule).toBe(
      'max-depth',
    )
  })

  it('checks and writes what is nested without end', () => {
    const payload = {
      messages: [
        { role: 'user', content: nested(100_000) },
        { role: 'user', content: 'b' },
      ],
    } as JsonObject
    expect(adapter.check(payload)).toBeInstanceOf(Array)
    expect(adapter.write(payload, plan({ dropped: [1] })).messages).toHaveLength(1)
  })

  it.each([
    '{}',
    '{"messages":null}',
    '{"messages":[null,1,"x",[],{},{"role":null},{"role":"user","content":{"__proto__":1}}]}',
    '{"messages":[{"role":"assistant","content":[null,1,[],{"type":"tool_use"},{"type":"tool_result","content":[null]}]}]}',
    '{"messages":[{"role":"assistant","tool_calls":[null,{}],"function_call":7}],"system":{},"tools":{}}',
    '{"__proto__":{"messages":[]},"constructor":{"messages":[]}}',
  ])('is total: %s', (text) => {
    const payload = parse(text)
    expect(() => adapter.detect(payload)).not.toThrow()
    expect(() => adapter.check(payload)).not.toThrow()
    expect(() => adapter.write(payload, plan({ dropped: [0] }))).not.toThrow()
    expect(faultsOf(adapter, payload)).not.toEqual([])
  })

  it('reads a text with half a surrogate pair as it is', () => {
    const { entries } = read(adapter, { messages: [{ role: 'user', content: 'a\ud83d' }] })
    expect(entries[0]?.parts[0]?.text).toBe('a\ud83d')
  })

  it('counts media by the rules of the model', () => {
    const { countImage, countTokens } = createReadContext(
      adapter.id,
      (text) => text.length,
      'claude-sonnet-4-6',
    )
    expect(countImage({ width: 1000, height: 1000 })).toBe(1296)
    expect(countTokens('abc')).toBe(3)
    const byFormat = createReadContext(adapter.id, (text) => text.length).countImage({
      width: 1000,
      height: 1000,
    })
    expect(byFormat).toBe(adapter.id === 'anthropic-messages' ? 1296 : 765)
  })
})
