import { describe, expect, it } from 'vitest'
import { markerText, SUMMARY_PREFIX } from '../../../src/engine/marker.ts'
import type { JsonObject, JsonValue } from '../../../src/engine/transcript.ts'
import { gemini } from '../../../src/formats/gemini/index.ts'
import { base64, pdf, png, wav } from './sample-media.ts'
import { faultsOf, marker, plan, read } from './support.ts'

const content = (role: string | undefined, ...parts: unknown[]): JsonObject =>
  ({ ...(role !== undefined && { role }), parts }) as JsonObject

const payloadOf = (...contents: unknown[]): JsonObject => ({ contents }) as JsonObject

/** The parts of a content, read as the only one. */
const partsOf = (role: string, ...parts: unknown[]) =>
  read(gemini, payloadOf(content(role, ...parts))).entries[0]?.parts ?? []

const partOf = (role: string, part: unknown) => partsOf(role, part)[0]

const responseOf = (functionResponse: unknown) =>
  partOf('user', { functionResponse: { name: 'look', ...(functionResponse as object) } })

const SIGNATURE = 'A'.repeat(160)
/** Four characters of base64 are three bytes, and four bytes a token. */
const SIGNATURE_TOKENS = 30

describe('gemini reading', () => {
  it('gives one entry a content: a content without a role is the user, responses are the tool', () => {
    const { entries, warnings } = read(
      gemini,
      payloadOf(
        content(undefined, { text: 'hi' }),
        content('model', { functionCall: { name: 'look', args: {} } }),
        content('user', { functionResponse: { name: 'look', response: {} } }, { text: 'and?' }),
        content('model', { functionCall: { name: 'look', args: {} } }),
        content('function', { functionResponse: { name: 'look', response: {} } }),
        content('model', { text: 'done' }),
        content('user', { text: 'thanks' }),
      ),
    )
    expect(entries.map(({ index, role }) => [index, role])).toEqual([
      [0, 'user'],
      [1, 'assistant'],
      [2, 'tool'],
      [3, 'assistant'],
      [4, 'tool'],
      [5, 'assistant'],
      [6, 'user'],
    ])
    expect(warnings).toEqual([])
  })

  it.each([
    ['camelCase', 'thoughtSignature', 'inlineData', 'mimeType', 'fileData', 'fileUri'],
    ['snake_case', 'thought_signature', 'inline_data', 'mime_type', 'file_data', 'file_uri'],
  ])('gives one part a part, under the same number: %s', (_, signed, inline, type, file, uri) => {
    const parts = partsOf(
      'model',
      { text: 'thinking of it', thought: true },
      { text: 'said' },
      { text: 'signed', [signed]: SIGNATURE },
      { text: '', [signed]: SIGNATURE },
      { [inline]: { [type]: 'image/png', data: base64(png(30, 20)) } },
      { [file]: { [type]: 'image/png', [uri]: 'gs://bucket/a.png' } },
    )
    expect(parts.map(({ kind, rewritable, text }) => [kind, rewritable, text])).toEqual([
      ['reasoning', false, 'thinking of it'],
      ['text', true, 'said'],
      ['text', false, 'signed'],
      ['reasoning', false, '[thoughtSignature]'],
      ['media', false, '[image]'],
      ['media', false, '[image]'],
    ])
    expect(parts.map(({ tokens }) => tokens)).toEqual([
      'thinking of it'.length,
      'said'.length,
      'signed'.length + SIGNATURE_TOKENS,
      SIGNATURE_TOKENS,
      600_000,
      7_000_000,
    ])
  })

  it.each(['functionCall', 'function_call'])('reads a call in %s', (member) => {
    const args = { path: 'a.ts' }
    const payload = payloadOf(
      content('model', { [member]: { id: 'c1', name: 'look', args }, thoughtSignature: SIGNATURE }),
    )
    const part = read(gemini, payload).entries[0]?.parts[0]
    expect(part).toEqual({
      kind: 'tool-call',
      text: 'look({"path":"a.ts"})',
      tokens: 'look({"path":"a.ts"})'.length + SIGNATURE_TOKENS,
      rewritable: false,
      toolName: 'look',
      toolArguments: args,
      callId: 'c1',
    })
    expect(part?.toolArguments).toBe(args)
  })

  it.each<[string, unknown, string, boolean]>([
    ['the output', { output: 'all of it' }, 'all of it', false],
    ['the only member', { result: 'all of it' }, 'all of it', false],
    ['an error', { error: 'no such file' }, 'no such file', true],
    ['an only member that is no text', { output: { a: 1 } }, '{"a":1}', false],
    ['the whole', { output: 'x', code: 0 }, '{"output":"x","code":0}', false],
    ['the whole of an error', { error: 'x', code: 2 }, '{"error":"x","code":2}', true],
    [
      'an output beside no error',
      { output: 'x', error: null },
      '{"output":"x","error":null}',
      false,
    ],
    ['an output beside an error', { output: 'x', error: 'y' }, '{"output":"x","error":"y"}', false],
    ['nothing', {}, '', false],
    ['a text where an object should be', 'all of it', 'all of it', false],
  ])('shows of a response %s', (_, response, text, isError) => {
    const part = responseOf({ response })
    expect(part).toMatchObject({ kind: 'tool-result', text, tokens: text.length, rewritable: true })
    expect(part?.isError ?? false).toBe(isError)
    expect(part?.toolName).toBe('look')
  })

  it('counts the media of a response with it, and shows them by their fingerprints', () => {
    const image = (width: number) => ({
      inlineData: { mimeType: 'image/png', data: base64(png(width, 20)) },
    })
    const [one, other] = [30, 31].map((width) =>
      responseOf({
        response: { output: 'two' },
        parts: [image(width), { file_data: { file_uri: 'gs://a' } }],
      }),
    )
    expect(one).toMatchObject({
      tokens: 'two'.length + 600_000 + 9_000_000,
      rewritable: true,
      media: { count: 2, tokens: 9_600_000, bytes: base64(png(30, 20)).length, besideText: 'two' },
    })
    expect(one?.text).toMatch(/^two\n\[image [0-9a-f]{12}\]\n\[file [0-9a-f]{12}\]$/)
    expect(other?.text).not.toBe(one?.text)
  })

  it('does not rewrite a response that holds a part of another kind', () => {
    expect(responseOf({ response: { output: 'x' }, parts: [{ hologram: 1 }] })?.rewritable).toBe(
      false,
    )
    expect(responseOf({ response: { output: 'x' }, parts: 'none' })?.rewritable).toBe(false)
    expect(responseOf({ response: { output: 'x' }, parts: [] })?.rewritable).toBe(true)
  })

  it.each([
    ['alone', (data: string) => ({ output: data })],
    ['beside others', (data: string) => ({ output: { picture: data, name: 'p' } })],
  ])('never counts or shows base64 in a response as text: %s', (_, response) => {
    const data = base64(png(30, 20, 3000))
    const part = responseOf({ response: response(data) })
    expect(part?.tokens).toBeGreaterThanOrEqual(600_000)
    expect(part?.tokens).toBeLessThan(600_100)
    expect(part?.text).toMatch(/\[base64 [0-9a-f]{12}\]/)
    expect(part?.text.length).toBeLessThan(100)
  })

  it.each<[string, string, string, string, number]>([
    ['an image', 'image/png', 'image', base64(png(30, 20)), 600_000],
    ['a document by its pages', 'application/pdf', 'document', base64(pdf(3)), 300_000],
    ['audio by its seconds', 'audio/wav', 'audio', base64(wav(10)), 320],
    ['video by its size', 'video/mp4', 'video', 'A'.repeat(1_000_000), 6 * 290],
    ['a text', 'text/plain; charset=utf-8', 'text', Buffer.from('grüße').toString('base64'), 5],
  ])('counts %s by the rules of Google', (_, mimeType, label, data, tokens) => {
    const [part] = partsOf('user', { inlineData: { mimeType, data } })
    expect(part?.tokens).toBe(tokens)
    expect(part?.text).toBe(`[${label}]`)
    expect(part?.media).toEqual({ count: 1, tokens, bytes: data.length, besideText: '' })
  })

  it.each([
    ['image/png', 7_000_000],
    ['application/pdf', 9_000_000],
    ['audio/mpeg', 60 * 32],
    ['video/mp4', 60 * 290],
    [undefined, 9_000_000],
  ])('takes a file behind an address for one of usual size: %s', (mimeType, tokens) => {
    const part = partOf('user', { fileData: { fileUri: 'gs://bucket/file', mimeType } })
    expect(part?.tokens).toBe(tokens)
    expect(part?.media?.bytes).toBe(0)
  })

  it('offers no note in the place of a signed picture', () => {
    const inlineData = { mimeType: 'image/png', data: base64(png(30, 20)) }
    expect(partOf('model', { inlineData, thoughtSignature: SIGNATURE })).toEqual({
      kind: 'media',
      text: '[image]',
      tokens: 600_000 + SIGNATURE_TOKENS,
      rewritable: false,
    })
  })

  it.each<[string, JsonObject]>([
    ['executableCode', { executableCode: { language: 'PYTHON', code: 'print(1)' } }],
    ['codeExecutionResult', { code_execution_result: { outcome: 'OUTCOME_OK', output: '1' } }],
    ['toolCall', { toolCall: { toolType: 'GOOGLE_SEARCH_WEB', args: {} } }],
    ['part', { hologram: { depth: 3 } }],
    ['part', { videoMetadata: { fps: 1 } }],
    ['part', { type: 'image_url', image_url: { url: 'https://example.com' } }],
  ])('keeps what it does not know as it is, counted as JSON text: %s', (label, part) => {
    expect(partOf('model', part)).toEqual({
      kind: 'opaque',
      text: `[${label}]`,
      tokens: JSON.stringify(part).length,
      rewritable: false,
    })
  })

  it('counts instructions, tools and framing', () => {
    const { beside, entries } = read(gemini, {
      ...payloadOf(content('user', { text: 'hi' })),
      systemInstruction: { parts: [{ text: 'be kind' }, { fileData: { fileUri: 'x' } }] },
      tools: [{ functionDeclarations: [{ name: 'look' }] }],
    })
    expect(beside).toEqual({
      instructionsTokens: 'be kind'.length + '{"fileData":{"fileUri":"x"}}'.length,
      toolsTokens: '{"functionDeclarations":[{"name":"look"}]}'.length,
      framingTokens: 4,
    })
    expect(entries[0]?.framingTokens).toBe(5)
    expect(gemini.countInsertion('abc', (text) => text.length)).toBe(8)
  })

  it.each<[string, JsonValue]>([
    ['a string', 'be kind'],
    ['a content', { role: 'system', parts: [{ text: 'be ' }, { text: 'kind' }] }],
    ['a part', { text: 'be kind' }],
    ['a list of strings and parts', ['be ', { text: 'kind' }]],
  ])('counts instructions that are %s', (_, instruction) => {
    const payload = payloadOf(content('user', { text: 'hi' }))
    for (const member of ['systemInstruction', 'system_instruction']) {
      const { beside } = read(gemini, { ...payload, [member]: instruction })
      expect(beside.instructionsTokens).toBe('be kind'.length)
    }
    expect(read(gemini, payload).beside.instructionsTokens).toBe(0)
  })

  it('knows the markers and summaries that it has written', () => {
    const insertion = { ...marker(0), text: markerText(2, 'truncated') }
    const edited = gemini.write(
      payloadOf(content('user', { text: 'hi' })),
      plan({ insertions: [insertion] }),
    )
    const [first] = read(gemini, edited).entries
    expect(first?.flags).toEqual({ marker: true, markerCount: 2 })
    const text = `${SUMMARY_PREFIX}It was said.`
    const { entries } = read(gemini, payloadOf(content('user', { text })))
    expect(entries[0]?.flags).toEqual({ summary: true })
  })
})

describe('gemini contents that cannot be read', () => {
  it.each<[string, JsonObject, string, string]>([
    ['no contents', { contents: 'hi' }, '/contents', 'contents-array'],
    ['a content that is none', payloadOf(null), '/contents/0', 'message-object'],
    [
      'a role of another format',
      payloadOf(content('assistant')),
      '/contents/0/role',
      'role-unknown',
    ],
    [
      'a role that is none',
      payloadOf({ role: null, parts: [] }),
      '/contents/0/role',
      'role-unknown',
    ],
    ['parts that are none', payloadOf({ parts: 'hi' }), '/contents/0/parts', 'parts-array'],
    ['a part that is none', payloadOf(content('user', 'hi')), '/contents/0/parts/0', 'part-object'],
    [
      'a text that is none',
      payloadOf(content('user', { text: 'a' }, { text: 7 })),
      '/contents/0/parts/1/text',
      'text-string',
    ],
    [
      'a call that is none',
      payloadOf(content('model', { function_call: 'look' })),
      '/contents/0/parts/0/function_call',
      'tool-call-object',
    ],
    [
      'a response without a name and an id',
      payloadOf(content('user', { functionResponse: { response: {} } })),
      '/contents/0/parts/0/functionResponse/name',
      'call-name',
    ],
    [
      'media that are none',
      payloadOf(content('user', { inlineData: 'AAAA' })),
      '/contents/0/parts/0/inlineData',
      'media-object',
    ],
    [
      'instructions that are none',
      { ...payloadOf(content('user', { text: 'a' })), system_instruction: 7 },
      '/system_instruction',
      'system-type',
    ],
    ['tools that are none', { ...payloadOf(), tools: {} }, '/tools', 'tools-array'],
  ])('are refused at their place: %s', (_, payload, pointer, rule) => {
    const faults = faultsOf(gemini, payload)
    expect(faults.map((fault) => [fault.pointer, fault.rule])).toEqual([[pointer, rule]])
  })

  it('are read where the checker alone has something to say', () => {
    const { entries } = read(gemini, payloadOf({ role: 'user' }, content('model'), content('user')))
    expect(entries.map(({ parts }) => parts)).toEqual([[], [], []])
  })
})
