import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import type { FormatId } from '../../../src/formats/adapter.ts'
import type { Detection } from '../../../src/formats/detect-format.ts'
import { verdictOf } from '../../../src/formats/evidence.ts'
import { detectFormat, FORMATS, isFormatId } from '../../../src/formats/index.ts'
import { fixture } from './support.ts'

const user: JsonObject = { role: 'user', content: 'u' }
const assistant: JsonObject = { role: 'assistant', content: 'a' }
const withBlock = (block: object): JsonObject =>
  ({ messages: [user, { role: 'assistant', content: [block] }] }) as JsonObject
const withMessage = (message: object): JsonObject => ({ messages: [user, message] }) as JsonObject

const SURE: [FormatId, string, JsonObject][] = [
  ['openai-chat', 'the travel desk', fixture('openai-chat/travel-desk.json')],
  ['openai-chat', 'functions', fixture('openai-chat/functions.json')],
  ['openai-chat', 'role tool', withMessage({ role: 'tool', tool_call_id: 'a', content: 'x' })],
  ['openai-chat', 'role developer', withMessage({ role: 'developer', content: 'x' })],
  ['openai-chat', 'tool_calls', withMessage({ role: 'assistant', content: null, tool_calls: [] })],
  [
    'openai-chat',
    'function_call',
    withMessage({ role: 'assistant', content: null, function_call: {} }),
  ],
  ['openai-chat', 'an image_url part', withBlock({ type: 'image_url', image_url: { url: 'x' } })],
  ['openai-chat', 'an input_audio part', withBlock({ type: 'input_audio', input_audio: {} })],
  ['openai-chat', 'a file part', withBlock({ type: 'file', file: { file_id: 'f' } })],
  [
    'openai-chat',
    'function tools',
    { messages: [user], tools: [{ type: 'function', function: { name: 'f' } }] },
  ],
  ['anthropic-messages', 'the code review', fixture('anthropic-messages/code-review.json')],
  ['anthropic-messages', 'server tools', fixture('anthropic-messages/server-tools.json')],
  ['anthropic-messages', 'a system member', { system: 's', messages: [user, assistant] }],
  [
    'anthropic-messages',
    'a system member of blocks',
    { system: [{ type: 'text', text: 's' }], messages: [user] },
  ],
  [
    'anthropic-messages',
    'a tool_use block',
    withBlock({ type: 'tool_use', id: 'a', name: 'f', input: {} }),
  ],
  [
    'anthropic-messages',
    'a tool_result block',
    withBlock({ type: 'tool_result', tool_use_id: 'a' }),
  ],
  [
    'anthropic-messages',
    'a thinking block',
    withBlock({ type: 'thinking', thinking: 't', signature: 's' }),
  ],
  [
    'anthropic-messages',
    'an image with a source',
    withBlock({ type: 'image', source: { type: 'url', url: 'x' } }),
  ],
  [
    'anthropic-messages',
    'a result of a server tool',
    withBlock({ type: 'bash_code_execution_tool_result', tool_use_id: 'a' }),
  ],
  [
    'anthropic-messages',
    'tools with an input_schema',
    { messages: [user], tools: [{ name: 'f', input_schema: {} }] },
  ],
  [
    'anthropic-messages',
    'a response as it came',
    withMessage({ ...assistant, type: 'message', stop_reason: 'end_turn' }),
  ],
  [
    'anthropic-messages',
    'its version member',
    { anthropic_version: 'bedrock-2023-05-31', messages: [user] },
  ],
  ['neurolink', 'the payments session', fixture('neurolink/payments-session.json')],
  ['neurolink', 'the compacted session', fixture('neurolink/compacted-session.json')],
  ['neurolink', 'role tool_call', withMessage({ role: 'tool_call', content: '' })],
  ['neurolink', 'role tool_result', withMessage({ role: 'tool_result', content: '' })],
  ['neurolink', 'toolCallId', withMessage({ ...assistant, toolCallId: 'a' })],
  ['neurolink', 'isTruncationMarker', withMessage({ ...user, isTruncationMarker: true })],
  ['neurolink', 'condenseParent', withMessage({ ...user, condenseParent: 'c' })],
  ['neurolink', 'args', withMessage({ ...assistant, args: {} })],
  ['neurolink', 'events', withMessage({ ...assistant, events: [] })],
  ['neurolink', 'metadata.isSummary', withMessage({ ...user, metadata: { isSummary: true } })],
  [
    'neurolink',
    'id and timestamp',
    withMessage({ ...user, id: '1', timestamp: '2026-01-01T00:00:00.000Z' }),
  ],
  ['ai-sdk', 'the greenhouse session', fixture('ai-sdk/greenhouse.json')],
  ['ai-sdk', 'a tool-call part', withBlock({ type: 'tool-call', toolCallId: 'a', input: {} })],
  ['ai-sdk', 'a reasoning part', withBlock({ type: 'reasoning', text: 't' })],
  ['ai-sdk', 'a reasoning-file part', withBlock({ type: 'reasoning-file', data: 'AA==' })],
  [
    'ai-sdk',
    'role tool with a tool-result part',
    withMessage({ role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a' }] }),
  ],
  [
    'ai-sdk',
    'role tool with an approval',
    withMessage({ role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'a' }] }),
  ],
  ['ai-sdk', 'an image part', withBlock({ type: 'image', image: 'AA==' })],
  ['ai-sdk', 'a file part', withBlock({ type: 'file', data: 'AA==', mediaType: 'text/plain' })],
  [
    'ai-sdk',
    'providerOptions of a part',
    withBlock({ type: 'text', text: 't', providerOptions: {} }),
  ],
  ['ai-sdk', 'providerOptions of a message', withMessage({ ...assistant, providerOptions: {} })],
  [
    'ai-sdk',
    'a system member beside its parts',
    { system: 's', ...withBlock({ type: 'tool-call', toolCallId: 'a', input: {} }) },
  ],
  [
    'ai-sdk',
    'a system member that is a message',
    { system: { role: 'system', content: 's' }, messages: [user] },
  ],
  [
    'ai-sdk',
    'a system member of messages',
    { system: [{ role: 'system', content: 's' }], messages: [user, assistant] },
  ],
  [
    'neurolink',
    "the SDK's media beside its own members",
    withMessage({ role: 'user', toolCallId: 'a', content: [{ type: 'image', image: 'AA==' }] }),
  ],
  [
    'openai-chat',
    'role tool with text parts',
    withMessage({ role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'x' }] }),
  ],
]

const ASSUMED: [FormatId, string, JsonObject][] = [
  ['openai-chat', 'plain strings', { messages: [user, assistant] }],
  ['openai-chat', 'text parts', withBlock({ type: 'text', text: 'x' })],
  ['openai-chat', 'a system message first', { messages: [{ role: 'system', content: 's' }, user] }],
  [
    'openai-chat',
    'a system message between',
    { messages: [user, { role: 'system', content: 's' }, assistant] },
  ],
  ['openai-chat', 'null content', withMessage({ role: 'assistant', content: null })],
  ['openai-chat', 'ids in some messages', withMessage({ ...assistant, id: 'a' })],
  ['openai-chat', 'an unknown part', withBlock({ type: 'hologram' })],
  ['openai-chat', 'no message', { messages: [] }],
  [
    'neurolink',
    "an id in every message, and the SDK's media",
    { messages: [{ ...user, id: '1', content: [{ type: 'image', image: 'AA==' }] }] },
  ],
  [
    'neurolink',
    'an id in every message',
    {
      messages: [
        { ...user, id: '1' },
        { ...assistant, id: '2' },
      ],
    },
  ],
]

describe('detectFormat', () => {
  it.each(SURE)('is sure of %s by %s', (format, _, payload) => {
    const detection = detectFormat(payload)
    expect(detection).toMatchObject({ format, warnings: [] })
    expect(verdictOf(FORMATS[format].findEvidence(payload))).toBe('yes')
    for (const other of Object.values(FORMATS)) {
      if (other.id !== format) expect(verdictOf(other.findEvidence(payload))).not.toBe('yes')
    }
  })

  it.each(ASSUMED)('takes %s for %s, and says so', (format, _, payload) => {
    expect(detectFormat(payload)).toMatchObject({
      format,
      warnings: [{ code: 'format-assumed', pointer: '/messages' }],
    })
    expect(verdictOf(FORMATS[format].findEvidence(payload))).toBe('maybe')
  })

  it.each([
    [
      'tool messages beside a system member',
      { system: 's', messages: [user, { role: 'tool', tool_call_id: 'a', content: 'x' }] },
      ['openai-chat', 'anthropic-messages'],
      ['/messages/1/role', '/messages/1/tool_call_id', '/system'],
    ],
    [
      'tool_use blocks and tool_calls',
      {
        messages: [{ role: 'assistant', tool_calls: [], content: [{ type: 'tool_use', id: 'a' }] }],
      },
      ['openai-chat', 'anthropic-messages'],
      ['/messages/0/tool_calls', '/messages/0/content/0/type'],
    ],
    [
      'thinking and tool_call messages',
      { messages: [{ role: 'tool_call', content: [{ type: 'thinking' }] }] },
      ['anthropic-messages', 'neurolink'],
      ['/messages/0/content/0/type', '/messages/0/role'],
    ],
    [
      'tool-call parts and tool_call_id',
      {
        messages: [
          { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', input: {} }] },
          { role: 'tool', tool_call_id: 'a', content: 'x' },
        ],
      },
      ['openai-chat', 'ai-sdk'],
      ['/messages/1/role', '/messages/1/tool_call_id', '/messages/0/content/0/type'],
    ],
  ])('finds %s ambiguous, with the places that say so', (_, payload, ambiguous, pointers) => {
    const detection: Detection = detectFormat(payload as JsonObject)
    expect(detection).toMatchObject({ ambiguous })
    expect('faults' in detection && detection.faults.map(({ pointer }) => pointer)).toEqual(
      pointers,
    )
    expect(
      'faults' in detection &&
        detection.faults.every(
          ({ rule, detail }) => rule === 'format-evidence' && detail.startsWith('speaks for '),
        ),
    ).toBe(true)
  })

  it.each([
    ['messages of a wrong type', { messages: { role: 'user' } }],
    ['nothing', {}],
  ])('finds no format in %s', (_, payload) => {
    expect(detectFormat(payload as JsonObject)).toMatchObject({
      none: true,
      reason: 'there is no array of messages',
      faults: [{ pointer: '/messages', rule: 'messages-array' }],
    })
  })

  it('finds no format where something speaks against each', () => {
    const detection = detectFormat(withMessage({ role: 'model', content: 'x' }))
    expect(detection).toMatchObject({
      none: true,
      reason: 'something speaks against every known format',
    })
    expect('faults' in detection && detection.faults.map(({ pointer }) => pointer)).toEqual(
      Object.values(FORMATS)
        .filter(({ list }) => list === 'messages')
        .map(() => '/messages/1/role'),
    )
  })

  it.each([
    ['a UIMessage', { id: '1', role: 'user', parts: [{ type: 'text', text: 'x' }] }],
    ['a UIMessage without an id', { role: 'assistant', parts: [{ type: 'step-start' }] }],
    ['a UIMessage without parts', { id: '1', role: 'assistant', parts: [] }],
    [
      'a UIMessage of version 4',
      { id: '1', role: 'user', content: 'x', parts: [{ type: 'text' }] },
    ],
  ])('refuses %s by its name, and points at it', (_, message) => {
    expect(detectFormat(withMessage(message))).toMatchObject({
      none: true,
      faults: [
        {
          pointer: '/messages/1',
          rule: 'ui-message',
          detail: expect.stringContaining('convertToModelMessages'),
        },
      ],
    })
  })

  it.each([
    ['parts beside a content', { role: 'user', content: 'x', parts: [{ type: 'text' }] }],
    ['parts without a type', { id: '1', role: 'user', content: 'x', parts: [{ text: 'x' }] }],
    ['parts that are no list', { id: '1', role: 'user', content: 'x', parts: { type: 'text' } }],
  ])('takes a message with %s for no UIMessage', (_, message) => {
    expect(detectFormat(withMessage(message))).toMatchObject({ format: 'openai-chat' })
  })

  it('leaves a fault inside a known format to reading', () => {
    const payload = {
      messages: [
        { role: 'robot', content: 'x' },
        { role: 'tool', tool_call_id: 'a', content: 'x' },
      ],
    }
    expect(detectFormat(payload)).toMatchObject({ format: 'openai-chat', warnings: [] })
  })

  it('keeps a few pieces of evidence, however long the conversation', () => {
    const payload = {
      messages: new Array(500).fill({ role: 'tool', tool_call_id: 'a', content: 'x' }),
    }
    expect(detectFormat(payload).evidence.length).toBeLessThan(20)
  })

  it('never looks at what a text says', () => {
    const texts = ['"role":"tool_call"', 'tool_use', '{"isTruncationMarker":true}']
    const messages = texts.map((content) => ({ role: 'user', content }))
    expect(detectFormat({ messages })).toEqual(
      expect.objectContaining({ format: 'openai-chat', evidence: [] }),
    )
  })
})

describe('FORMATS', () => {
  it('has every adapter under its own id', () => {
    for (const [id, adapter] of Object.entries(FORMATS)) expect(adapter.id).toBe(id)
    expect(isFormatId('neurolink')).toBe(true)
    expect(isFormatId('toString')).toBe(false)
  })
})
