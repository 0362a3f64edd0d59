import { describe, expect, it } from 'vitest'
import { valueAt } from '../../../src/http/gateways/value-at.ts'

const at = (text: string, path: readonly string[]) => {
  const bytes = Buffer.from(text)
  const range = valueAt(bytes, path)
  return range === undefined ? undefined : bytes.toString('utf8', range.start, range.end)
}

describe('valueAt', () => {
  it('is the very text of the value at a path', () => {
    expect(at(' {"a" : {"b":[ 1.0 , 2]}} ', ['a', 'b'])).toBe('[ 1.0 , 2]')
    expect(at('{"\\u0061":{"é":{}}}', ['a', 'é'])).toBe('{}')
    expect(at('\ufeff{"a":1}', ['a'])).toBe('1')
    expect(at('{"a":1}', [])).toBe('{"a":1}')
  })

  it('is the last of several values of one name, at every level', () => {
    expect(at('{"a":{"b":1},"a":{"b":2,"b":3}}', ['a', 'b'])).toBe('3')
  })

  it('is nothing where the path leads nowhere', () => {
    expect(at('{"a":{"b":1}}', ['a', 'c'])).toBeUndefined()
    expect(at('{"a":[{"b":1}]}', ['a', 'b'])).toBeUndefined()
    expect(at('{"a":"b"}', ['a', 'b', 'c'])).toBeUndefined()
    expect(at('[1]', ['a'])).toBeUndefined()
  })
})
