import { describe, expect, it } from 'vitest'
import { encodeJsonWith } from '../../../../src/http/body/encode-json.ts'
import { writeText } from '../../../../src/json-text/byte-sink.ts'

const raw = '[ 1.0, {"é":12345678901234567890} ]'

describe('encodeJsonWith', () => {
  it('writes the given text at the place that the member has, and what is not there at the end', () => {
    const encoded = new Map([
      ['messages', Buffer.from(raw)],
      ['a"b', Buffer.from('1e5')],
    ])
    const value = { fits: true, messages: undefined, list: [1, 2], é: null }
    expect(encodeJsonWith(value, encoded).toString()).toBe(
      `{"fits":true,"messages":${raw},"list":[1,2],"é":null,"a\\"b":1e5}`,
    )
  })

  it('takes a function that writes the text', () => {
    const large = 'é'.repeat(200_000)
    const encoded = new Map([
      ['first', (sink: Parameters<typeof writeText>[0]) => writeText(sink, `"${large}"`)],
      ['last', (sink: Parameters<typeof writeText>[0]) => writeText(sink, raw)],
    ])
    expect(encodeJsonWith({}, encoded).toString()).toBe(`{"first":"${large}","last":${raw}}`)
  })

  it('writes members only where the object has no others', () => {
    expect(encodeJsonWith({}, new Map()).toString()).toBe('{}')
    expect(encodeJsonWith({ a: undefined }, new Map([['a', Buffer.from('1.0')]])).toString()).toBe(
      '{"a":1.0}',
    )
    expect(encodeJsonWith({ a: () => 1 }, new Map()).toString()).toBe('{}')
  })

  it('takes an inherited name for one that is not there', () => {
    const encoded = new Map([['constructor', Buffer.from('1.0')]])
    expect(encodeJsonWith({ a: 1 }, encoded).toString()).toBe('{"a":1,"constructor":1.0}')
  })
})
