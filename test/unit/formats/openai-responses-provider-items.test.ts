import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src/engine/transcript.ts'
import { openaiResponses } from '../../../src/formats/openai-responses/index.ts'
import { hasLoneSurrogate } from '../../helpers/lone-surrogate.ts'
import { base64, png } from './sample-media.ts'
import { read } from './support.ts'

const transcriptOf = (...input: JsonValue[]) => read(openaiResponses, { input })
const entryOf = (item: JsonValue) => transcriptOf(item).entries[0]
const SEALED = 'g'.repeat(160)
/** Three quarters of the characters are bytes, and four bytes are a token. */
const SEALED_TOKENS = 30

describe('openai-responses reading of reasoning', () => {
  it.each<[string, JsonObject, string, number]>([
    ['nothing but an id', { summary: [] }, '[reasoning]', 0],
    ['what is sealed', { summary: [], encrypted_content: SEALED }, '[reasoning]', SEALED_TOKENS],
    ['nothing sealed', { summary: [], encrypted_content: null }, '[reasoning]', 0],
    [
      'a summary beside what is sealed',
      { summary: [{ type: 'summary_text', text: 'why' }], encrypted_content: SEALED },
      'why',
      3 + SEALED_TOKENS,
    ],
    [
      'what is said in the clear, not again as sealed',
      { summary: [], content: [{ type: 'reasoning_text', text: 'so' }], encrypted_content: SEALED },
      'so',
      2,
    ],
  ])('counts %s', (_, members, text, tokens) => {
    const entry = entryOf({ type: 'reasoning', id: 'rs', ...members })
    expect(entry?.role).toBe('assistant')
    expect(entry?.parts).toEqual([{ kind: 'reasoning', text, tokens, rewritable: false }])
  })
})

describe('openai-responses reading of compacted histories', () => {
  it.each(['compaction', 'compaction_summary'])('seals %s', (type) => {
    const entry = entryOf({ type, encrypted_content: SEALED })
    expect(entry?.flags).toEqual({ sealed: true })
    expect(entry?.parts).toEqual([
      { kind: 'opaque', text: `[${type}]`, tokens: SEALED_TOKENS, rewritable: false },
    ])
  })
})

describe('openai-responses reading of tools that ran at the provider', () => {
  it.each<[string, JsonObject, string]>([
    [
      'a search of the web',
      { type: 'web_search_call', action: { type: 'search', query: 'q' } },
      'q',
    ],
    [
      'a search of files',
      { type: 'file_search_call', queries: ['q'], results: [{ text: 'found' }] },
      'q\nfound',
    ],
    [
      'a code interpreter',
      { type: 'code_interpreter_call', code: 'x', outputs: [{ type: 'logs', logs: 'y' }] },
      'x\ny',
    ],
    ['a picture', { type: 'image_generation_call', revised_prompt: 'cat', result: null }, 'cat'],
    ['a server', { type: 'mcp_call', name: 'f', arguments: '{}', output: 'o' }, 'f\n{}\no'],
    [
      'the tools of a server',
      { type: 'mcp_list_tools', server_label: 's', tools: [{ name: 'f' }] },
      's\nf',
    ],
  ])('shows of %s what it says, and counts it whole', (_, item, shown) => {
    const entry = entryOf(item)
    expect(entry?.role).toBe('assistant')
    expect(entry?.unresolvedCalls).toEqual([])
    expect(entry?.parts).toEqual([
      {
        kind: 'opaque',
        text: `[${item.type}] ${shown}`,
        tokens: JSON.stringify(item).length,
        rewritable: false,
      },
    ])
  })

  it('counts a picture that the model made as a picture', () => {
    const result = base64(png(3, 2, 3000))
    const [part] = entryOf({ type: 'image_generation_call', id: 'ig', result })?.parts ?? []
    expect(part?.tokens).toBeGreaterThanOrEqual(6000)
    expect(part?.tokens).toBeLessThan(6100)
  })

  it('shows a bounded part of a long output, and no half of a character', () => {
    const output = `${'x'.repeat(19_995)}${'😀'.repeat(100)}`
    const [part] = entryOf({ type: 'mcp_call', name: 'f', arguments: '{', output })?.parts ?? []
    expect(part?.text.length).toBeLessThan(20_020)
    expect(hasLoneSurrogate(part?.text ?? '')).toBe(false)
  })
})

describe('openai-responses reading of other items', () => {
  it.each<[string, JsonObject]>([
    ['a reference', { type: 'item_reference', id: 'msg_1' }],
    ['a reference without a type', { id: 'msg_1' }],
    ['a reference whose type is null', { type: null, id: 'msg_1' }],
  ])('warns that what is behind %s is not counted', (_, item) => {
    const { entries, warnings } = transcriptOf(item)
    expect(entries[0]?.parts).toMatchObject([{ kind: 'opaque', text: '[item_reference]' }])
    expect(warnings).toMatchObject([{ code: 'stored-item', pointer: '/input/0' }])
  })

  it.each(['additional_tools', 'configuration_update', 'compaction_trigger'])(
    'reads %s as instructions, which nothing drops',
    (type) => {
      expect(entryOf({ type, role: 'developer', tools: [] })).toMatchObject({
        role: 'instructions',
        parts: [{ kind: 'opaque', text: `[${type}]` }],
      })
    },
  )

  it('counts an item of an unknown type as its JSON text', () => {
    const item = { type: 'hologram', depth: 3 }
    expect(entryOf(item)?.parts).toEqual([
      {
        kind: 'opaque',
        text: '[hologram]',
        tokens: JSON.stringify(item).length,
        rewritable: false,
      },
    ])
  })

  it('does not hold an unknown call for one that waits', () => {
    const { entries, warnings } = transcriptOf(
      { type: 'hologram_call', call_id: 'h' },
      { role: 'user', content: 'x' },
    )
    expect(entries[0]?.unresolvedCalls).toEqual([])
    expect(warnings).toEqual([])
  })
})
