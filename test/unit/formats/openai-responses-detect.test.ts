import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { detectFormat } from '../../../src/formats/detect-format.ts'
import { verdictOf } from '../../../src/formats/evidence.ts'
import { openaiResponses } from '../../../src/formats/openai-responses/index.ts'

const user: JsonObject = { role: 'user', content: 'a' }

/** The format that is found, or what speaks against it. */
function detected(payload: JsonObject): unknown {
  const detection = detectFormat(payload)
  if ('format' in detection) return detection.format
  return detection.evidence.map(({ format, pointer }) => `${format} ${pointer}`)
}

describe('openai-responses detection', () => {
  it.each<[string, JsonObject]>([
    ['a string', { input: 'a' }],
    ['instructions', { input: [user], instructions: 'i' }],
    ['a tool', { input: [user], tools: [{ type: 'function', name: 'f' }] }],
    ['a call', { input: [{ type: 'function_call', call_id: 'a' }] }],
    ['a result', { input: [{ type: 'hologram_call_output', call_id: 'a' }] }],
    ['reasoning', { input: [{ type: 'reasoning' }] }],
    ['a compacted history', { input: [{ type: 'compaction' }] }],
    ['a text part', { input: [{ role: 'user', content: [{ type: 'input_text', text: 'a' }] }] }],
    ['an output part', { input: [{ role: 'assistant', content: [{ type: 'output_text' }] }] }],
  ])('is sure by %s', (_, payload) => {
    expect(verdictOf(openaiResponses.findEvidence(payload))).toBe('yes')
    expect(detected(payload)).toBe('openai-responses')
  })

  it('takes an input of plain messages, which no other format has', () => {
    expect(verdictOf(openaiResponses.findEvidence({ input: [user] }))).toBe('maybe')
    expect(detected({ input: [user] })).toBe('openai-responses')
  })

  it.each<[string, JsonObject, string]>([
    ['a role', { input: [user, { role: 'tool', content: '' }] }, '/input/1/role'],
    ['calls', { input: [{ ...user, tool_calls: [] }] }, '/input/0/tool_calls'],
    ['a system prompt', { input: [user], system: 's' }, '/system'],
    [
      'a tool of Chat Completions',
      { input: [user], tools: [{ type: 'function', function: {} }] },
      '/tools/0/function',
    ],
    [
      'a tool of Messages',
      { input: [user], tools: [{ input_schema: {} }] },
      '/tools/0/input_schema',
    ],
  ])('refuses %s of another format, with its place', (_, payload, pointer) => {
    expect(verdictOf(openaiResponses.findEvidence(payload))).toBe('no')
    expect(detected(payload)).toEqual([`openai-responses ${pointer}`])
  })

  it('is not asked of a conversation that stands elsewhere', () => {
    expect(detected({ messages: [user], input: 7 })).not.toBe('openai-responses')
  })

  it('never looks at texts', () => {
    const payload = { input: [{ role: 'user', content: '{"type":"function_call"}' }] }
    expect(verdictOf(openaiResponses.findEvidence(payload))).toBe('maybe')
  })
})
