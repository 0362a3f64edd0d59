import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeLike } from '../../src/json-text/encode-like.ts'
import {
  type ByteRange,
  documentRange,
  elementRanges,
  memberRanges,
} from '../../src/json-text/ranges.ts'
import { type ExpectedText, editJson } from './support/json-edits.ts'
import { arrayNode, documentOf, type JsonNode, jsonNode } from './support/json-texts.ts'
import { createTalk, rewriteTalk } from './support/odd-talk.ts'
import { property } from './support/run-property.ts'

const slice = (text: Buffer, { start, end }: ByteRange): string => text.toString('utf8', start, end)

const RUNS = { runs: 4 }

/** Values apart from the order of members, and from what JSON.stringify does not tell apart. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1))
      : member,
  )

const expectRanges = (text: Buffer, range: ByteRange, node: JsonNode, value: unknown): void => {
  expect(slice(text, range)).toBe(node.raw)
  expect(JSON.parse(slice(text, range))).toEqual(value)
  const elements = elementRanges(text, range)
  expect(elements).toHaveLength(node.elements?.length ?? 0)
  for (const [index, element] of elements.entries()) {
    expectRanges(text, element, node.elements![index]!, (value as unknown[])[index])
  }
  const members = memberRanges(text, range)
  expect(members.map(({ key }) => key)).toEqual((node.members ?? []).map(({ name }) => name))
  for (const [index, { key, keyRange, valueRange }] of members.entries()) {
    expect(JSON.parse(slice(text, keyRange))).toBe(key)
    const { node: part } = node.members![index]!
    const isLast = members.findLastIndex((member) => member.key === key) === index
    const own = isLast ? (value as Record<string, unknown>)[key] : JSON.parse(part.raw)
    expectRanges(text, valueRange, part, own)
  }
}

/** `isSure`: what the value was made from can be told, so that all that was kept kept its bytes. */
const expectText = (
  text: Buffer,
  range: ByteRange,
  expected: ExpectedText,
  isSure: boolean,
): void => {
  if (expected.kind === 'fresh') {
    expect(slice(text, range)).toBe(JSON.stringify(expected.value))
  } else if (expected.kind === 'kept') {
    if (isSure) expect(expected.raws).toContain(slice(text, range))
  } else if (expected.kind === 'array') {
    const elements = elementRanges(text, range)
    expect(elements).toHaveLength(expected.elements.length)
    for (const [index, element] of expected.elements.entries()) {
      const isRewritten = element.kind === 'array' || element.kind === 'object'
      const isKnown = isSure && (!isRewritten || element.provesOrigin)
      expectText(text, elements[index]!, element, isKnown)
    }
  } else {
    const members = memberRanges(text, range)
    const names = members.map(({ key }) => key)
    if (isSure) expect(names).toEqual(expected.members.map(([name]) => name))
    expect(new Set(names).size).toBe(expected.members.length)
    for (const [name, member] of expected.members) {
      const { valueRange } = members[names.indexOf(name)]!
      expectText(text, valueRange, member, isSure)
    }
  }
}

const has = (text: Buffer, ...parts: readonly string[]) => parts.some((part) => text.includes(part))

describe('the places of values in JSON text', () => {
  property(
    'are those that the text was put together from, and parse to what JSON.parse gave for them',
    documentOf(jsonNode),
    ({ text, node, value }, meet) => {
      expectRanges(text, documentRange(text), node, value)
      if (has(text, '"__proto__"')) meet('__proto__')
      if (has(text, '\\ud83d', '\\ude00')) meet('half a pair')
      if (has(text, '\\"')) meet('an escaped quote')
      if (has(text, '\n', '\t')) meet('white space')
    },
    {
      ...RUNS,
      meets: { __proto__: 0.03, 'half a pair': 0.1, 'an escaped quote': 0.1, 'white space': 0.3 },
    },
  )
})

describe('a value that is written like the one before', () => {
  property(
    'has the very bytes where nothing was edited',
    documentOf(jsonNode),
    ({ text, node, value }, meet) => {
      const range = documentRange(text)
      expect(encodeLike(value, value, text, range).toString()).toBe(node.raw)
      if (!Array.isArray(value)) return
      meet('an array')
      expect(encodeLike([...value], value, text, range).toString()).toBe(node.raw)
    },
    { ...RUNS, meets: { 'an array': 0.1 } },
  )

  property(
    'parses to the edited value, and what the edit left alone keeps its bytes and its place',
    fc.tuple(documentOf(fc.oneof(jsonNode, arrayNode(jsonNode, 12))), fc.nat()),
    ([{ text, node, value }, seed], meet) => {
      const { after, expected } = editJson(value, node, seed)
      const written = encodeLike(after, value, text, documentRange(text))
      const range = documentRange(written)
      expect(range).toEqual({ start: 0, end: written.length })
      // Infinity has a spelling where it was kept, 1e400, and is null where it is written anew.
      if (!has(text, '1e400')) {
        expect(canonical(JSON.parse(written.toString()))).toBe(canonical(after))
      }
      expectText(written, range, expected, true)
      if (expected.kind === 'array') {
        if (expected.elements.some(({ kind }) => kind === 'kept')) meet('a kept element')
        if (expected.elements.some((element) => 'provesOrigin' in element && element.provesOrigin))
          meet('a rewritten element')
      }
    },
    { ...RUNS, meets: { 'a kept element': 0.3, 'a rewritten element': 0.05 } },
  )

  property(
    'keeps the bytes of a rewritten message but for what was rewritten, whatever was dropped and moved',
    fc.tuple(fc.integer({ min: 1, max: 30 }), fc.nat()),
    ([length, seed], meet) => {
      const { text, messages } = createTalk(length, seed)
      const before = JSON.parse(text.toString())
      const { after, expected, did } = rewriteTalk(before, messages, seed)
      for (const what of did) meet(what)
      const written = encodeLike(after, before, text, documentRange(text))
      expect(
        elementRanges(written, documentRange(written)).map((at) => slice(written, at)),
      ).toEqual(expected)
    },
    { ...RUNS, meets: { dropped: 0.5, inserted: 0.5, rewritten: 0.5, moved: 0.1, 'a block': 0.3 } },
  )

  it('is what JSON.stringify gives for a value that the text has nothing of', () => {
    fc.assert(
      fc.property(documentOf(jsonNode), fc.jsonValue(), ({ text, value }, after) => {
        const written = encodeLike({ fresh: after }, { old: value }, text, documentRange(text))
        expect(JSON.parse(written.toString())).toEqual(JSON.parse(JSON.stringify({ fresh: after })))
      }),
      { seed: 11 },
    )
  })
})
