import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src/engine/transcript.ts'
import { openaiResponses } from '../../../src/formats/openai-responses/index.ts'
import { marker, parse, plan, read } from './support.ts'

const rewritten = (item: JsonObject, part = 0, text = 'new'): JsonValue | undefined =>
  itemsOf(openaiResponses.write({ input: [item] }, plan({ replaced: { 0: { [part]: text } } })))[0]
const itemsOf = ({ input }: JsonObject): readonly JsonValue[] => (Array.isArray(input) ? input : [])
const chunk = (stdout: string, exit_code: number): JsonObject => ({
  stdout,
  stderr: 'e',
  outcome: { type: 'exit', exit_code },
})

/** The text of a part after it was rewritten, read again: writing and reading number alike. */
const textAfter = (item: JsonObject, part: number): string | undefined =>
  read(openaiResponses, { input: [rewritten(item, part) ?? null] }).entries[0]?.parts[part]?.text

describe('openai-responses writing', () => {
  it('returns the payload itself for an empty plan, also where the input is a string', () => {
    for (const payload of [{ input: [{ role: 'user', content: 'a' }] }, { input: 'a' }]) {
      expect(openaiResponses.write(payload, plan({}))).toBe(payload)
    }
  })

  it('leaves what no decision names the very same objects, and the rest of the payload', () => {
    const payload = parse(
      '{"model":"m","instructions":"i","input":[{"role":"user","content":"a","__proto__":1,"z":0},{"type":"reasoning","id":"r","summary":[]},{"role":"user","content":"b","phase":null}],"tools":[]}',
    )
    const before = JSON.stringify(payload)
    const written = openaiResponses.write(
      payload,
      plan({ dropped: [1], replaced: { 2: { 0: 'c' } } }),
    )
    expect(itemsOf(written)[0]).toBe(itemsOf(payload)[0])
    expect(JSON.stringify(written)).toBe(
      '{"model":"m","instructions":"i","input":[{"role":"user","content":"a","__proto__":1,"z":0},{"role":"user","content":"c","phase":null}],"tools":[]}',
    )
    expect(JSON.stringify(payload)).toBe(before)
  })

  it('writes insertions as messages of either side', () => {
    const assistant = { ...marker(1), role: 'assistant' as const }
    const payload = { input: [{ role: 'user', content: 'a' }] }
    expect(
      itemsOf(openaiResponses.write(payload, plan({ insertions: [marker(0), assistant] }))),
    ).toEqual([
      { type: 'message', role: 'user', content: '[2 earlier messages]' },
      payload.input[0],
      { type: 'message', role: 'assistant', content: '[2 earlier messages]' },
    ])
  })

  it('makes a list of an input that was a string', () => {
    expect(openaiResponses.write({ input: 'a' }, plan({ insertions: [marker(0)] })).input).toEqual([
      { type: 'message', role: 'user', content: '[2 earlier messages]' },
      { role: 'user', content: 'a' },
    ])
  })
})

describe('openai-responses rewriting', () => {
  it.each<[string, JsonObject, number, JsonObject]>([
    ['a string', { role: 'assistant', content: 'old' }, 0, { role: 'assistant', content: 'new' }],
    [
      'a text among other parts, whose members stay',
      {
        type: 'message',
        id: 'msg',
        role: 'assistant',
        status: 'completed',
        content: [
          { type: 'refusal', refusal: 'no' },
          { type: 'output_text', text: 'old', annotations: [] },
        ],
      },
      1,
      {
        type: 'message',
        id: 'msg',
        role: 'assistant',
        status: 'completed',
        content: [
          { type: 'refusal', refusal: 'no' },
          { type: 'output_text', text: 'new', annotations: [] },
        ],
      },
    ],
    [
      'a picture of the user, for which a text of the user’s side stands',
      { role: 'user', content: [{ type: 'input_image', image_url: 'https://a.b/c' }] },
      0,
      { role: 'user', content: [{ type: 'input_text', text: 'new' }] },
    ],
    [
      'the output of a function',
      { type: 'function_call_output', call_id: 'a', id: 'o', output: 'old' },
      0,
      { type: 'function_call_output', call_id: 'a', id: 'o', output: 'new' },
    ],
    [
      'a list of outputs',
      {
        type: 'custom_tool_call_output',
        call_id: 'a',
        output: [
          { type: 'input_image', file_id: 'f' },
          { type: 'input_text', text: 'old', x: 1 },
          { type: 'input_text', text: 'older' },
        ],
      },
      0,
      {
        type: 'custom_tool_call_output',
        call_id: 'a',
        output: [{ type: 'input_text', text: 'new', x: 1 }],
      },
    ],
    [
      'a list of pictures, one of which ends a cached prefix',
      {
        type: 'function_call_output',
        call_id: 'a',
        output: [{ type: 'input_image', file_id: 'f', prompt_cache_breakpoint: { id: 'b' } }],
      },
      0,
      {
        type: 'function_call_output',
        call_id: 'a',
        output: [{ type: 'input_text', text: 'new', prompt_cache_breakpoint: { id: 'b' } }],
      },
    ],
    [
      'the log of a patch',
      { type: 'apply_patch_call_output', call_id: 'a', status: 'failed', output: 'old' },
      0,
      { type: 'apply_patch_call_output', call_id: 'a', status: 'failed', output: 'new' },
    ],
    [
      'the output of a shell, whose outcomes stay',
      { type: 'shell_call_output', call_id: 'a', output: [chunk('old', 0), chunk('older', 2)] },
      0,
      {
        type: 'shell_call_output',
        call_id: 'a',
        output: [
          { ...chunk('new', 0), stderr: '' },
          { ...chunk('', 2), stderr: '' },
        ],
      },
    ],
  ])('changes %s', (_, item, part, expected) => {
    const before = JSON.stringify(item)
    expect(JSON.stringify(rewritten(item, part))).toBe(JSON.stringify(expected))
    expect(JSON.stringify(item)).toBe(before)
    expect(textAfter(item, part)).toBe('new')
  })

  it.each<[string, JsonObject]>([
    ['a call', { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' }],
    ['reasoning', { type: 'reasoning', summary: [] }],
    ['a screenshot', { type: 'computer_call_output', call_id: 'a', output: {} }],
    ['an approval', { type: 'mcp_approval_response', approval_request_id: 'a', approve: true }],
    ['a refusal', { role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] }],
    ['an unknown item', { type: 'x_call_output', call_id: 'a', output: 'x' }],
  ])('never touches %s', (_, item) => {
    expect(() => rewritten(item)).toThrow()
  })

  it('refuses a part that a result does not have', () => {
    expect(() => rewritten({ type: 'function_call_output', output: 'x' }, 1)).toThrow()
  })
})
