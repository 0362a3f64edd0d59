import { describe, expect, it } from 'vitest'
import { encodeLike } from '../../../src/json-text/encode-like.ts'
import { createJsonSource } from '../../../src/json-text/json-source.ts'
import { documentRange } from '../../../src/json-text/ranges.ts'

type Message = Record<string, unknown>

/** Writes an edit of the value that the text has. */
const rewrite = <Value>(json: string, edit: (value: Value) => unknown): string => {
  const text = Buffer.from(json)
  const before = JSON.parse(json) as Value
  return encodeLike(edit(before), before, text, documentRange(text)).toString()
}

const BIG = '12345678901234567890'

const withHole = [1, 2, 3]
delete withHole[1]

describe('encodeLike', () => {
  it('gives a view of the very bytes where nothing changed', () => {
    const text = Buffer.from(`{"messages" : [ 1.0, ${BIG} ] }`)
    const before = JSON.parse(text.toString())
    const range = createJsonSource(text).member('messages')!
    const bytes = encodeLike(before.messages, before.messages, text, range)
    expect(bytes.toString()).toBe(`[ 1.0, ${BIG} ]`)
    expect(bytes.buffer).toBe(text.buffer)
    expect(bytes.byteOffset).toBe(text.byteOffset + range.start)
  })

  it('keeps members in the order of the text, puts new ones last and leaves out what is gone', () => {
    expect(
      rewrite<Message>(`{ "b" : 1.0,"10":1e5, "2":${BIG},"gone":0 }`, ({ gone: _, ...rest }) => ({
        new: '\ud83d',
        ...rest,
        b: 2,
      })),
    ).toBe(`{ "b" : 2,"10":1e5, "2":${BIG},"new":"\\ud83d"}`)
  })

  it('writes the last of several members of one name, once and where it stands', () => {
    expect(
      rewrite<Message>('{"a":1.0,"b":{"x":0,"x":1.0},"\\u0061":2.0,"c":3.0}', (value) => ({
        ...value,
        c: 4,
      })),
    ).toBe('{"b":{"x":0,"x":1.0},"\\u0061":2.0,"c":4}')
  })

  it('takes __proto__, constructor and toJSON for names like any other', () => {
    const json = `{"__proto__":{"n":1.0},"constructor":${BIG},"toJSON":1e5,"a":1}`
    expect(rewrite<Message>(json, (value) => ({ ...value, a: 2 }))).toBe(json.replace(':1}', ':2}'))
    expect(rewrite<Message>(json, ({ a }) => ({ a, b: 1 }))).toBe('{"a":1,"b":1}')
    expect(rewrite<Message>('{"a":1}', () => JSON.parse('{"__proto__":2}'))).toBe('{"__proto__":2}')
  })

  it('keeps what stays of a list from which elements are dropped, moved and doubled', () => {
    const json = `[{"n":${BIG}}, {"n":1.0},\n{"n":1e5} ,{"n":-0}]`
    expect(rewrite<Message[]>(json, ([, b, c]) => [b, c])).toBe('[ {"n":1.0},\n{"n":1e5} ]')
    expect(rewrite<Message[]>(json, ([a, , , d]) => [d, a, d])).toBe(
      `[{"n":-0},{"n":${BIG}},{"n":-0}]`,
    )
    expect(rewrite<Message[]>(json, ([, , c]) => ['first', c, { last: true }])).toBe(
      '["first",\n{"n":1e5} ,{"last":true}]',
    )
    expect(rewrite<Message[]>(json, () => [])).toBe('[]')
  })

  it('keeps the other members of a rewritten message after others were dropped', () => {
    const message = (n: number) =>
      `{"role":"tool","call":"c${n}","n":${BIG}${n},"content":"c ${n}"}`
    const json = `[${[0, 1, 2, 3, 4].map(message).join(',')}]`
    expect(
      rewrite<Message[]>(json, (list) => [
        { role: 'user', content: '[3 messages removed]' },
        { ...list[3], content: 'cleared' },
        list[4],
      ]),
    ).toBe(
      `[{"role":"user","content":"[3 messages removed]"},${message(3).replace('c 3', 'cleared')},${message(4)}]`,
    )
  })

  it('knows a rewritten message by an id that only messages kept as they were have as well', () => {
    const message = (call: string, n: string) => `{"call":"${call}","n":${n},"text":"old"}`
    const json = `[${message('a', '1.0')},${message('b', '1e0')},${message('b', '1.00')}]`
    expect(
      rewrite<Message[]>(json, ([, second, third]) => [{ ...second, text: 'new' }, third]),
    ).toBe(`[${message('b', '1e0').replace('old', 'new')},${message('b', '1.00')}]`)
  })

  it('knows a rewritten message by most of its values, whatever the new text is like', () => {
    const json =
      '[{"id":"a","n":1.0,"text":"cleared"},{"id":"b","n":2.0,"text":"old"},{"id":"c","n":3,"text":""}]'
    expect(rewrite<Message[]>(json, ([, second]) => [{ ...second, text: 'cleared' }])).toBe(
      '[{"id":"b","n":2.0,"text":"cleared"}]',
    )
  })

  it('does not take an inserted message for a copy of one that has other names', () => {
    const inserted = { role: 'user', content: 'new', x: 1, y: 2 }
    const json = '[{"role":"us\\u0065r","a":1,"b":2},{"role":"us\\u0065r","a":1,"b":2}]'
    expect(rewrite<Message[]>(json, () => [inserted])).toBe(JSON.stringify([inserted]))
  })

  it('takes two copies of one message from the same place', () => {
    const json = '[{"n":1.0},{"calls":[1.0],"n":1e0,"text":"old"}]'
    expect(
      rewrite<Message[]>(json, ([, second]) => [
        { ...second, text: 'new' },
        { ...second, text: 'newer' },
      ]),
    ).toBe('[{"calls":[1.0],"n":1e0,"text":"new"},{"calls":[1.0],"n":1e0,"text":"newer"}]')
  })

  it('keeps the unchanged blocks of a rewritten message, and the rest of the changed block', () => {
    const block = (n: number) => `{"type":"text", "text":"\\u00e9 ${n}","n":${n}.0}`
    const message = (...blocks: string[]) => `{"1":1.0,"content":[ ${blocks.join(' , ')} ]}`
    const json = `[${message(block(1))},${message(block(2), block(3), block(4))}]`
    const edited = rewrite<Message[]>(json, ([, second = {}]) => {
      const [a, b, c] = second.content as Message[]
      return [{ ...second, content: [a, { ...b, text: 'new' }, c] }]
    })
    const changed = '{"type":"text", "text":"new","n":3.0}'
    expect(edited).toBe(`[${message(block(2), changed, block(4))}]`)
  })

  it('tells rewritten elements that look alike apart by what they share, and else by their order', () => {
    const same = (spelling: string) => `{"role":"user","n":${spelling},"content":"x"}`
    const rewritten = (spelling: string) => same(spelling).replace('"x"', '"y"')
    expect(
      rewrite<Message[]>(`[${same('1.0')},${same('1e0')},${same('1')}]`, ([a, b, c]) => [
        { ...a, content: 'y' },
        { ...b, content: 'y' },
        c,
      ]),
    ).toBe(`[${rewritten('1.0')},${rewritten('1e0')},${same('1')}]`)
    const sharing = (n: string) => `{"tool_calls":[{"n":${n}}],"content":"x"}`
    expect(
      rewrite<Message[]>(`[${sharing('1.0')},${sharing('1e0')}]`, ([a, b]) => [
        { ...b, content: 'y' },
        { ...a, content: 'y' },
      ]),
    ).toBe(`[${sharing('1e0')},${sharing('1.0')}]`.replaceAll('"x"', '"y"'))
  })

  it('does not let an element that only looks alike take what another is a copy of', () => {
    const json = '[{"id":"a","n":1.0,"list":[[1.0]]},{"id":"b","n":2.0,"list":[[2.0]]}]'
    expect(
      rewrite<Message[]>(json, ([, b]) => [
        { id: 'b', n: 2, list: 'new' },
        { ...b, id: 'c' },
      ]),
    ).toMatch(/^\[.*"n":2,.*,\{"id":"c","n":2\.0,"list":\[\[2\.0\]\]\}\]$/)
  })

  it('takes primitive elements from where they stand, 0 and -0 not being the same', () => {
    expect(rewrite<unknown[]>('["\\u00e9", 1.0,1e5,true]', ([a, , c]) => [c, a])).toBe(
      '[1e5,"\\u00e9"]',
    )
    expect(rewrite<unknown[]>('[-0.0,0.0,1.0]', ([a, b]) => [b, a])).toBe('[0.0,-0.0]')
    expect(rewrite<unknown[]>('[1,1.0,2,1e0]', ([, , c, d]) => [c, d])).toBe('[2,1e0]')
    expect(rewrite<unknown[]>('[1,1.0,2,3,1e0]', ([, , c, , e]) => [c, e])).toBe('[2,1e0]')
    expect(rewrite<unknown[]>('[-0.0]', () => [0, 7])).toBe('[0,7]')
    expect(rewrite<Message>('{"a":-0.0,"b":0.0}', () => ({ a: 0, b: 0 }))).toBe('{"a":0,"b":0.0}')
  })

  it('keeps the white space of what is empty and stays so', () => {
    const json = '{"a":[ ],"b":{\n},"c":1}'
    expect(rewrite<unknown[]>(json, () => ({ a: [], b: {}, c: 2 }))).toBe(json.replace('1', '2'))
  })

  it.each<[string, unknown, unknown]>([
    ['an array becomes an object', [1], { a: 1 }],
    ['an object becomes an array', { 0: 1 }, [1]],
    ['an object becomes null', { a: 1 }, null],
    ['text becomes an array', 'text', [{ type: 'text' }]],
    ['a date takes the place of an object', { a: { b: 1 } }, { a: new Date(0) }],
    ['elements have no JSON', [1, 2, 3], [undefined, () => 1, 3, Symbol('s')]],
    [
      'members have no JSON',
      { a: 1, b: 2, c: 3 },
      { a: undefined, b: () => 1, c: 3, d: undefined },
    ],
    ['nothing is left but a member without JSON', { a: 1 }, { a: undefined }],
    [
      'an object without prototype is written',
      [{}],
      [Object.assign(Object.create(null), { b: 1 })],
    ],
    ['a class with toJSON is written', [[1]], [{ toJSON: () => [2] }]],
    ['toJSON gives nothing', { a: { c: 1 }, b: [1] }, { a: { toJSON: () => undefined }, b: [] }],
    ['a hole is written', [1, 2, 3], withHole],
    ['an array with a toJSON method', [[1]], [Object.assign([1], { toJSON: () => 'array' })]],
    ['half a pair is written', ['a'], ['\ud83d', { '\ude00': '\ude00' }]],
  ])('writes what JSON.stringify writes where %s', (_, before, after) => {
    const text = Buffer.from(JSON.stringify(before))
    const written = encodeLike(after, JSON.parse(text.toString()), text, documentRange(text))
    expect(written.toString()).toBe(JSON.stringify(after))
  })

  it('throws a TypeError for what has no JSON', () => {
    const cycle: Message = {}
    cycle.self = cycle
    for (const after of [undefined, () => 1, 1n, [1n], { a: cycle }]) {
      expect(() => rewrite('{"a":{"b":1}}', () => after)).toThrow(TypeError)
    }
  })

  it('does not trust a text that is not that of the value', () => {
    const text = Buffer.from('[1,2,3]')
    expect(encodeLike([9, 8], [9, 8, 7, 6], text, documentRange(text)).toString()).toBe('[9,8]')
    const object = Buffer.from('{"a":1,"b":2}')
    expect(encodeLike({ b: 3 }, { c: 3 }, object, documentRange(object)).toString()).toBe('{"b":3}')
  })

  it('uses the elements that the source has found already', () => {
    const text = Buffer.from('{"messages":[1.0, 2.0, 3.0]}')
    const range = createJsonSource(text, { elementsOf: 'messages' }).member('messages')!
    expect(range.elements).toHaveLength(3)
    expect(encodeLike([1, 3], [1, 2, 3], text, range).toString()).toBe('[1.0, 3.0]')
  })
})
