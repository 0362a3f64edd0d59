import { describe, expect, it } from 'vitest'
import { markerText, SUMMARY_PREFIX } from '../../../src/engine/marker.ts'
import type { JsonObject, JsonValue } from '../../../src/engine/transcript.ts'
import { aiSdk } from '../../../src/formats/ai-sdk/index.ts'
import { countTokens, fixture, read } from './support.ts'

const partsOf = (role: string, ...content: JsonObject[]) =>
  read(aiSdk, { messages: [{ role, content }] }).entries[0]?.parts ?? []
const text = (value: string): JsonObject => ({ type: 'text', text: value })
const outputPart = (output: JsonValue) => {
  const { entries } = read(aiSdk, {
    messages: [
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'look', input: {} }],
      },
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'other', output }],
      },
    ],
  })
  return entries[1]?.parts[0]
}

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe('reading ai-sdk', () => {
  it('gives every message its role and every part its kind', () => {
    const { entries, format } = read(aiSdk, fixture('ai-sdk/greenhouse.json'))
    expect(format).toBe('ai-sdk')
    expect(entries.map(({ role, parts }) => [role, ...parts.map(({ kind }) => kind)])).toEqual([
      ['instructions', 'text'],
      ['user', 'text', 'media', 'media'],
      ['assistant', 'reasoning', 'text', 'tool-call', 'tool-call'],
      ['tool', 'tool-result', 'tool-result'],
      ['assistant', 'text', 'tool-call'],
      ['tool', 'tool-result'],
      ['assistant', 'tool-call', 'tool-result', 'text'],
      ['user', 'text'],
      ['assistant', 'reasoning', 'tool-call', 'tool-call', 'opaque'],
      ['tool', 'tool-result', 'opaque', 'tool-result'],
      ['assistant', 'text'],
      ['user', 'text'],
      ['assistant', 'reasoning', 'tool-call', 'opaque'],
      ['tool', 'opaque'],
    ])
  })

  it('finds nothing to warn of in a conversation that waits for a tool', () => {
    expect(read(aiSdk, fixture('ai-sdk/greenhouse.json')).warnings).toEqual([])
  })

  it('shows a call by its name and arguments, and lets nobody rewrite it', () => {
    const [part] = partsOf('assistant', {
      type: 'tool-call',
      toolCallId: 'a',
      toolName: 'look',
      input: { bay: 3 },
    })
    expect(part).toEqual({
      kind: 'tool-call',
      text: 'look({"bay":3})',
      tokens: countTokens('look({"bay":3})'),
      rewritable: false,
      callId: 'a',
      toolName: 'look',
      toolArguments: { bay: 3 },
    })
  })

  it.each([
    ['text', { type: 'text', value: 'dry' }, 'dry', true, false],
    ['json', { type: 'json', value: { a: [1] } }, '{"a":[1]}', true, false],
    ['json of null', { type: 'json', value: null }, 'null', true, false],
    ['error-text', { type: 'error-text', value: 'gone' }, 'gone', true, true],
    ['error-json', { type: 'error-json', value: { c: 1 } }, '{"c":1}', true, true],
    ['a denial', { type: 'execution-denied' }, '[execution-denied]', false, true],
    [
      'a denial with its reason',
      { type: 'execution-denied', reason: 'no' },
      '[execution-denied] no',
      false,
      true,
    ],
    [
      'an unknown type',
      { type: 'hologram', value: 1 },
      '{"type":"hologram","value":1}',
      false,
      undefined,
    ],
    ['no value', { type: 'text' }, '{"type":"text"}', false, undefined],
    ['no object', 'dry', '"dry"', false, undefined],
  ])('reads an output of %s', (_, output, shown, rewritable, isError) => {
    expect(outputPart(output as JsonValue)).toEqual({
      kind: 'tool-result',
      text: shown,
      tokens: shown.length,
      rewritable,
      callId: 'a',
      // The call's name counts, whatever the result says.
      toolName: 'look',
      ...(isError !== undefined && { isError }),
    })
  })

  it('reads the items of a content output as one part, its media by what they are', () => {
    const items: JsonObject[] = [
      text('left'),
      { type: 'media', data: PNG, mediaType: 'image/png' },
      { type: 'image-data', data: PNG, mediaType: 'image/png' },
      { type: 'file-data', data: PNG, mediaType: 'image/*' },
      { type: 'file', data: { type: 'data', data: PNG }, mediaType: 'image' },
      { type: 'image-url', url: 'https://greenhouse.example/a.png' },
      { type: 'image-file-id', fileId: 'f' },
      { type: 'image-file-reference', providerReference: { openai: 'f' } },
      { type: 'file-url', url: 'https://greenhouse.example/a.pdf' },
      { type: 'file-id', fileId: 'f' },
      { type: 'file-reference', providerReference: { openai: 'f' } },
      text('right'),
    ]
    const part = outputPart({ type: 'content', value: items })
    const media = 4 * 1_000 + 3 * 7_000_000 + 3 * 9_000_000
    expect(part).toMatchObject({ kind: 'tool-result', rewritable: true })
    expect(part?.tokens).toBe(media + 'left\nright'.length)
    expect(part?.media).toEqual({
      count: 10,
      tokens: media,
      bytes: 4 * PNG.length + 2 * 'https://greenhouse.example/a.png'.length,
      besideText: 'left\nright',
    })
    expect(part?.text.split('\n').map((line) => line.replace(/ [0-9a-f]{12}\]$/, ']'))).toEqual(
      items.map(({ type, text: said }) => (type === 'text' ? said : `[${type}]`)),
    )
  })

  it('leaves an output with an item that nobody here knows as it is', () => {
    const part = outputPart({ type: 'content', value: [text('a'), { type: 'custom', x: 1 }, 7] })
    expect(part?.rewritable).toBe(false)
    expect(part?.tokens).toBe(1 + '{"type":"custom","x":1}'.length + 1)
    expect(part?.text.split('\n').map((line) => line.split(' ')[0])).toEqual([
      'a',
      '[custom',
      '[item',
    ])
  })

  it('leaves the result of a tool that the provider ran as it is', () => {
    const { entries } = read(aiSdk, fixture('ai-sdk/greenhouse.json'))
    expect(entries[6]?.parts[1]).toMatchObject({
      kind: 'tool-result',
      rewritable: false,
      callId: 'srv-1',
      toolName: 'web_search',
    })
    expect(entries[3]?.parts[0]?.rewritable).toBe(true)
    const call = { type: 'tool-call', toolCallId: 'a', toolName: 'f', input: {} }
    const result = { ...call, type: 'tool-result', output: { type: 'text', value: 'r' } }
    const mayBeRewritten = (ran: JsonObject) =>
      read(aiSdk, {
        messages: [
          { role: 'assistant', content: [{ ...call, ...ran }] },
          { role: 'tool', content: [result] },
        ],
      }).entries[1]?.parts[0]?.rewritable
    const [, own] = partsOf('assistant', call, result)
    expect(own).toMatchObject({ kind: 'tool-result', rewritable: false })
    expect(mayBeRewritten({})).toBe(true)
    expect(mayBeRewritten({ providerExecuted: true })).toBe(false)
  })

  it.each([
    ['base64', { type: 'image', image: PNG }, 1_000, PNG.length],
    [
      'a data URL',
      { type: 'image', image: `data:image/png;base64,${PNG}` },
      1_000,
      PNG.length + 22,
    ],
    ['a URL', { type: 'image', image: 'https://a.example/b.png' }, 7_000_000, 23],
    [
      'a tagged file',
      { type: 'file', data: { type: 'data', data: PNG }, mediaType: 'image' },
      1_000,
      PNG.length,
    ],
    [
      'a tagged URL',
      { type: 'file', data: { type: 'url', url: 'https://a.example/b' }, mediaType: 'image/*' },
      7_000_000,
      19,
    ],
    [
      'a reference',
      {
        type: 'file',
        data: { type: 'reference', reference: { openai: 'f' } },
        mediaType: 'image/png',
      },
      7_000_000,
      0,
    ],
    ['a bare reference', { type: 'image', image: { openai: 'f' } }, 7_000_000, 0],
    [
      'a file that is written out',
      { type: 'file', data: { type: 'text', text: 'five.' }, mediaType: 'text/plain' },
      5,
      5,
    ],
    [
      'a document',
      { type: 'file', data: 'https://a.example/b.pdf', mediaType: 'application/pdf' },
      9_000_000,
      23,
    ],
    [
      'base64 of a document',
      { type: 'file', data: 'AAAA', mediaType: 'application/pdf' },
      9_000_001,
      4,
    ],
    ['bytes that went through JSON', { type: 'image', image: { 0: 137, 1: 80 } }, 7_000_000, 0],
    [
      'a data URL without a type beside it',
      { type: 'file', data: `data:image/png;base64,${PNG}` },
      1_000,
      PNG.length + 22,
    ],
  ])('counts media: %s', (_, part, tokens, bytes) => {
    expect(partsOf('user', part as JsonObject)).toEqual([
      {
        kind: 'media',
        text: `[${part.type}]`,
        tokens,
        rewritable: false,
        media: { count: 1, tokens, bytes, besideText: '' },
      },
    ])
  })

  it('counts audio by its length', () => {
    const [part] = partsOf('user', {
      type: 'file',
      data: 'A'.repeat(4_000),
      mediaType: 'audio/mpeg',
    })
    expect(part?.kind).toBe('media')
    expect(part?.tokens).toBeGreaterThan(0)
    expect(part?.tokens).toBeLessThan(1_000)
  })

  it('reads thinking as it is shown, and never lets it be rewritten', () => {
    expect(
      partsOf('assistant', {
        type: 'reasoning',
        text: 'hm',
        providerOptions: { a: { signature: 's' } },
      }),
    ).toEqual([{ kind: 'reasoning', text: 'hm', tokens: 2, rewritable: false }])
    const [file] = partsOf('assistant', {
      type: 'reasoning-file',
      data: PNG,
      mediaType: 'image/png',
    })
    expect(file).toEqual({
      kind: 'reasoning',
      text: '[reasoning-file]',
      tokens: 1_000,
      rewritable: false,
    })
  })

  it('counts encrypted thinking as what it hides, once for all summaries of it', () => {
    const sealed = { openai: { itemId: 'rs', reasoningEncryptedContent: 'A'.repeat(1_600) } }
    const parts = partsOf(
      'assistant',
      { type: 'reasoning', text: 'first', providerOptions: sealed },
      { type: 'reasoning', text: 'second', providerOptions: sealed },
      {
        type: 'reasoning',
        text: '',
        providerOptions: { anthropic: { redactedData: 'B'.repeat(160) } },
      },
      text('so'),
    )
    expect(parts.map(({ tokens, text: shown }) => [tokens, shown])).toEqual([
      [300, 'first'],
      [6, 'second'],
      [30, '[reasoning]'],
      [2, 'so'],
    ])
  })

  it.each([
    ['without options', {}, true],
    [
      'with a cache breakpoint',
      { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } },
      true,
    ],
    ['with the id of its item', { providerOptions: { openai: { itemId: 'm' } } }, false],
    ['with what a response had', { providerMetadata: { openai: { itemId: 'm' } } }, false],
    ['with a signature', { providerOptions: { google: { thoughtSignature: 's' } } }, false],
  ])('lets the text of the assistant %s be rewritten: %s', (_, options, rewritable) => {
    const part = { ...text('a'), ...options } as JsonObject
    expect(partsOf('assistant', part)[0]?.rewritable).toBe(rewritable)
    expect(partsOf('user', part)[0]?.rewritable).toBe(true)
  })

  it('offers no note in place of a picture that the provider knows by more than its bytes', () => {
    const file = { type: 'file', data: PNG, mediaType: 'image/png' }
    const signed = { ...file, providerOptions: { google: { thoughtSignature: 's' } } }
    expect(partsOf('assistant', file)[0]?.media?.count).toBe(1)
    expect(partsOf('assistant', signed)[0]?.media).toBeUndefined()
    expect(partsOf('assistant', signed)[0]?.tokens).toBe(1_000)
  })

  it.each([
    ['openai', { type: 'custom', kind: 'openai.compaction', providerOptions: {} }],
    ['anthropic', { ...text('s'), providerOptions: { anthropic: { type: 'compaction' } } }],
  ])('flags the history that %s compacted', (_, part) => {
    const { entries } = read(aiSdk, {
      messages: [{ role: 'assistant', content: [part as JsonObject] }],
    })
    expect(entries[0]?.flags).toEqual({ sealed: true })
    expect(entries[0]?.parts[0]?.rewritable).toBe(false)
  })

  it('counts an unknown part by its JSON text and lets nobody touch it', () => {
    const part = { type: 'hologram', x: 1 }
    expect(partsOf('user', part)).toEqual([
      {
        kind: 'opaque',
        text: '[hologram]',
        tokens: JSON.stringify(part).length,
        rewritable: false,
      },
    ])
    expect(partsOf('assistant', { type: 'custom', kind: 'openai.other' })[0]?.kind).toBe('opaque')
  })

  it('recognises our own markers and summaries', () => {
    const flags = (role: string, content: JsonValue) =>
      read(aiSdk, { messages: [{ role, content }] }).entries[0]?.flags
    const said = markerText(3)
    expect(flags('user', said)).toEqual({ marker: true, markerCount: 3 })
    expect(flags('user', [text(said)])).toEqual({ marker: true, markerCount: 3 })
    expect(flags('assistant', `${SUMMARY_PREFIX} all`)).toEqual({ summary: true })
    expect(flags('user', [text(said), text('b')])).toEqual({})
  })

  it('counts each message with a frame, and the request with one', () => {
    const { entries, beside } = read(aiSdk, { messages: [{ role: 'user', content: 'abc' }] })
    expect(entries[0]?.framingTokens).toBe(4)
    expect(beside).toEqual({ instructionsTokens: 0, toolsTokens: 0, framingTokens: 3 })
    expect(read(aiSdk, { messages: [] }).beside.framingTokens).toBe(0)
    expect(aiSdk.countInsertion('abc', countTokens)).toBe(7)
  })

  it.each([
    ['a string', { system: 'four' }, 4],
    ['a message', { system: { role: 'system', content: 'four' } }, 4],
    [
      'messages',
      {
        system: [
          { role: 'system', content: 'four' },
          { role: 'system', content: 'five.' },
        ],
      },
      9,
    ],
    ['instructions in place of it', { system: 'four', instructions: 'three' }, 5],
    ['nothing', { system: null }, 0],
  ])('counts the system beside the messages: %s', (_, members, tokens) => {
    const { beside } = read(aiSdk, { messages: [], ...members } as JsonObject)
    expect(beside.instructionsTokens).toBe(tokens)
  })

  it('counts the tools as the JSON text in which they are sent', () => {
    const tools = [{ name: 'look', inputSchema: {} }]
    expect(read(aiSdk, { messages: [], tools }).beside.toolsTokens).toBe(
      JSON.stringify(tools[0]).length,
    )
  })
})
