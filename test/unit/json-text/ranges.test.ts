import { describe, expect, it } from 'vitest'
import { createJsonSource } from '../../../src/json-text/json-source.ts'
import { documentRange, elementRanges, memberRanges } from '../../../src/json-text/ranges.ts'

const slices = (text: Buffer, ranges: readonly { start: number; end: number }[] | undefined) =>
  ranges?.map(({ start, end }) => text.toString('utf8', start, end))

const membersOf = (json: string) => {
  const text = Buffer.from(json)
  return memberRanges(text, documentRange(text)).map(({ key, keyRange, valueRange }) => [
    key,
    ...(slices(text, [keyRange, valueRange]) ?? []),
  ])
}

describe('documentRange', () => {
  it.each([
    ['[1]', '[1]'],
    ['\ufeff \r\n\t[1] \n', '[1]'],
    [' 12345678901234567890\n', '12345678901234567890'],
    ['"a \\" "', '"a \\" "'],
  ])('leaves out the byte order mark and the white space around the value of %j', (json, value) => {
    const text = Buffer.from(json)
    expect(slices(text, [documentRange(text)])).toEqual([value])
  })
})

describe('memberRanges', () => {
  it('gives every member in the order of the text, duplicates and integer-like names included', () => {
    expect(membersOf('{ "b" : 1.0 ,"10":[1, 2],"2": {"x":{}},\n"b":"}" }')).toEqual([
      ['b', '"b"', '1.0'],
      ['10', '"10"', '[1, 2]'],
      ['2', '"2"', '{"x":{}}'],
      ['b', '"b"', '"}"'],
    ])
  })

  it('decodes names as JSON.parse does', () => {
    const names = ['\\u0061', 'é', '\\u00e9', '\\/', '\\ud83d', '\\"', '', '__proto__', '😀']
    const members = membersOf(`{${names.map((name) => `"${name}":0`).join(',')}}`)
    expect(members.map(([key]) => key)).toEqual(names.map((name) => JSON.parse(`"${name}"`)))
  })

  it.each(['[{"a":1}]', '"{\\"a\\":1}"', '1', 'null', '{}', '{ \n}'])(
    'gives none for %s',
    (json) => {
      expect(membersOf(json)).toEqual([])
    },
  )

  it.each([
    '',
    '{',
    '{"a"',
    '{"a":',
    '{"a":1,',
    '{"a":[1,',
    '[',
    '[1,,',
    '[:',
    '{"a"}}',
    '\\"',
    '{"\\q":1}',
  ])('ends on %j, which is not JSON', (json) => {
    const text = Buffer.from(json)
    const range = { start: 0, end: text.length }
    expect(memberRanges(text, range, 'a').length + elementRanges(text, range).length).toBeLessThan(
      4,
    )
  })
})

describe('elementRanges', () => {
  it.each([
    ['[]', []],
    ['[ \n]', []],
    ['[1]', ['1']],
    [
      ' [ 1.0 , "]" ,[ [],{} ],\n{"a":"[,"} ,true,null,-1e5 ] ',
      ['1.0', '"]"', '[ [],{} ]', '{"a":"[,"}', 'true', 'null', '-1e5'],
    ],
    ['{"a":[1]}', []],
    ['7', []],
  ])('finds the elements of %j', (json, elements) => {
    const text = Buffer.from(json)
    expect(slices(text, elementRanges(text, documentRange(text)))).toEqual(elements)
  })
})

describe('createJsonSource', () => {
  const text = Buffer.from(
    '\ufeff{"messages":[0],"model":"m","a":{"messages":[1]},"\\u006dessages": [ 2, [3] ] }',
  )

  it.each([undefined, 'messages', 'model'])(
    'gives the last of several members of one name, and its elements, looking into %s at once',
    (elementsOf) => {
      const source = createJsonSource(text, elementsOf === undefined ? {} : { elementsOf })
      expect(slices(text, [source.member('messages')!])).toEqual(['[ 2, [3] ]'])
      expect(slices(text, source.elements('messages'))).toEqual(['2', '[3]'])
      expect(slices(text, [source.member('model')!])).toEqual(['"m"'])
      expect(source.elements('model')).toEqual([])
    },
  )

  it('has no member that only an inner object has, nor any of a document that is no object', () => {
    const inner = Buffer.from('{"a":{"messages":[1]}}')
    expect(createJsonSource(inner).member('messages')).toBeUndefined()
    expect(createJsonSource(inner).elements('messages')).toBeUndefined()
    expect(createJsonSource(Buffer.from('["messages"]')).member('messages')).toBeUndefined()
    expect(createJsonSource(inner).member('constructor')).toBeUndefined()
  })
})
