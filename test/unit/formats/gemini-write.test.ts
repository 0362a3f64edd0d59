import { describe, expect, it } from 'vitest'
import { entryTokens, type JsonObject, type JsonValue } from '../../../src/engine/transcript.ts'
import { compareChange } from '../../../src/formats/change-rule.ts'
import { gemini } from '../../../src/formats/gemini/index.ts'
import { base64, png } from './sample-media.ts'
import { marker, parse, plan, read, summary } from './support.ts'

const IMAGE = { mimeType: 'image/png', data: base64(png(30, 20)) }

/** Every kind of part in either spelling, with members that nobody here knows. */
const load = (): JsonObject => ({
  model: 'gemini-3-pro-preview',
  contents: [
    {
      role: 'user',
      parts: [
        { text: 'look here', partMetadata: { n: 1 } },
        { inline_data: IMAGE, videoMetadata: { fps: 1 } },
      ],
    },
    {
      role: 'model',
      parts: [
        { text: 'hm', thought: true },
        { functionCall: { id: 'a', name: 'look', args: {} }, thoughtSignature: 'c2ln' },
        { function_call: { name: 'list', args: { b: 1, a: 2 } } },
      ],
      extra: true,
    },
    {
      role: 'user',
      parts: [
        {
          functionResponse: {
            id: 'a',
            name: 'look',
            scheduling: 'SILENT',
            response: { result: 'a long text' },
            parts: [{ inlineData: IMAGE }],
          },
        },
        { function_response: { name: 'list', response: { entries: [1, 2], more: false } } },
      ],
    },
    { role: 'model', parts: [{ text: 'a picture' }, { text: '', thoughtSignature: 'c2ln' }] },
    { parts: [{ text: 'and now?' }, { file_data: { file_uri: 'gs://b/c' } }] },
  ],
})

const contentsOf = (payload: JsonObject): JsonObject[] => payload.contents as JsonObject[]

const partAt = (payload: JsonObject, content: number, part: number): JsonObject => {
  const parts = contentsOf(payload)[content]?.parts as JsonObject[] | undefined
  return parts?.[part] ?? {}
}

function freeze(value: JsonValue): void {
  if (typeof value !== 'object' || value === null) return
  Object.freeze(value)
  for (const member of Object.values(value)) freeze(member)
}

describe('writing gemini', () => {
  it('returns the payload itself for an empty plan', () => {
    const payload = load()
    expect(gemini.write(payload, plan({}))).toBe(payload)
  })

  it('touches nothing but what the plan names, and never the payload', () => {
    const payload = load()
    freeze(payload)
    const edited = gemini.write(payload, plan({ dropped: [3], replaced: { 2: { 0: 'short' } } }))
    const [before, after] = [contentsOf(payload), contentsOf(edited)]
    expect(after).toHaveLength(4)
    expect(after[0]).toBe(before[0])
    expect(after[1]).toBe(before[1])
    expect(after[3]).toBe(before[4])
    expect(partAt(edited, 2, 1)).toBe(partAt(payload, 2, 1))
    expect(edited.model).toBe(payload.model)
    expect(JSON.stringify(payload)).toBe(JSON.stringify(load()))
  })

  it.each<[string, number, number, JsonObject]>([
    ['a text', 0, 0, { text: 'x', partMetadata: { n: 1 } }],
    ['a medium, which becomes a text', 0, 1, { text: 'x' }],
    ['a file, which becomes a text', 4, 1, { text: 'x' }],
    [
      'a response of one member, in its place',
      2,
      0,
      {
        functionResponse: {
          id: 'a',
          name: 'look',
          scheduling: 'SILENT',
          response: { result: 'x' },
        },
      },
    ],
    [
      'a response of several members, as its output',
      2,
      1,
      { function_response: { name: 'list', response: { output: 'x' } } },
    ],
  ])('rewrites %s', (_, content, part, expected) => {
    const edited = gemini.write(load(), plan({ replaced: { [content]: { [part]: 'x' } } }))
    expect(JSON.stringify(partAt(edited, content, part))).toBe(JSON.stringify(expected))
  })

  it.each<[JsonValue, JsonObject]>([
    [{ error: 'no such file' }, { error: 'x' }],
    [{ error: 'no such file', code: 2 }, { error: 'x' }],
    [{ output: 'y', error: null }, { output: 'x' }],
    [{}, { output: 'x' }],
    ['a text where an object should be', { output: 'x' }],
  ])('leaves a response an object of the shape it had: %j', (response, expected) => {
    const contents = [{ parts: [{ functionResponse: { name: 'f', response } }] }]
    const edited = gemini.write({ contents }, plan({ replaced: { 0: { 0: 'x' } } }))
    expect(partAt(edited, 0, 0)).toEqual({ functionResponse: { name: 'f', response: expected } })
    const [entry] = read(gemini, edited).entries
    const wasError = read(gemini, { contents }).entries[0]?.parts[0]?.isError
    expect(entry?.parts[0]).toMatchObject({ text: 'x', tokens: 1 })
    expect(entry?.parts[0]?.isError).toBe(wasError)
  })

  it('keeps the name of the only member, whatever it is', () => {
    const payload = parse(
      '{"contents":[{"parts":[{"functionResponse":{"name":"f","response":{"__proto__":"long"}}}]}]}',
    )
    const edited = gemini.write(payload, plan({ replaced: { 0: { 0: 'x' } } }))
    expect(JSON.stringify(edited)).toBe(JSON.stringify(payload).replace('long', 'x'))
  })

  it('costs after a rewriting what its new text costs, framing and the rest unchanged', () => {
    const payload = load()
    for (const { index, parts } of read(gemini, payload).entries) {
      for (const [part, { rewritable, media, kind, tokens }] of parts.entries()) {
        if (!rewritable && !(kind === 'media' && media !== undefined)) continue
        const edited = gemini.write(payload, plan({ replaced: { [index]: { [part]: 'new' } } }))
        const [before, after] = [payload, edited].map((one) => read(gemini, one).entries[index])
        expect(after && entryTokens(after)).toBe(before && entryTokens(before) - tokens + 3)
      }
    }
  })

  it.each([
    [1, 0],
    [1, 1],
    [1, 2],
    [3, 1],
    [0, 2],
    [3, -1],
  ])(
    'refuses to rewrite what is signed, thought, called or not there: content %i, part %i',
    (content, part) => {
      const changes = plan({ replaced: { [content]: { [part]: 'x' } } })
      expect(() => gemini.write(load(), changes)).toThrow('cannot be rewritten')
    },
  )

  it('inserts contents of one text', () => {
    const insertions = [marker(1), { ...summary(5), role: 'assistant' as const }]
    const edited = gemini.write(load(), plan({ insertions }))
    expect(contentsOf(edited)).toHaveLength(7)
    expect(contentsOf(edited)[1]).toEqual({ role: 'user', parts: [{ text: marker(1).text }] })
    expect(contentsOf(edited)[6]).toEqual({ role: 'model', parts: [{ text: 'All said.' }] })
    expect(gemini.check(edited)).toEqual(gemini.check(load()))
  })
})

describe('the change rules of gemini', () => {
  const changesOf = (change: (part: JsonObject[]) => JsonValue[]): string[] => {
    const payload = load()
    const contents = contentsOf(payload).map((content, index) =>
      index === 3 ? { ...content, parts: change(content.parts as JsonObject[]) } : content,
    )
    const changes = plan({ replaced: { 3: { 0: 'x' } } })
    return compareChange(gemini, payload, { ...payload, contents }, changes).map(
      ({ rule, pointer }) => `${rule} ${pointer}`,
    )
  }

  it('take a change of what is not signed', () => {
    expect(changesOf(([, sealed = {}]) => [{ text: 'x' }, sealed])).toEqual([])
  })

  it('find a signed part that says something else', () => {
    expect(changesOf(([text = {}, sealed]) => [text, { ...sealed, text: 'x' }])).toEqual([
      'sealed-changed /contents/3',
    ])
  })

  it('find a signature that is another', () => {
    expect(
      changesOf(([text = {}, sealed]) => [text, { ...sealed, thoughtSignature: 'eA==' }]),
    ).toEqual(['sealed-changed /contents/3'])
  })

  it('find a content that goes on without a signed part', () => {
    expect(changesOf(([text = {}]) => [text])).toContain('signature-parted /contents/3')
  })

  it('take a signed content that is gone as a whole', () => {
    const changes = plan({ dropped: [3] })
    const edited = gemini.write(load(), changes)
    expect(compareChange(gemini, load(), load(), plan({}))).not.toEqual([])
    const payload = load()
    expect(compareChange(gemini, payload, gemini.write(payload, changes), changes)).toEqual([])
    expect(contentsOf(edited)).toHaveLength(4)
  })
})
