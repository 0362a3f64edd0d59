import { describe, expect, it } from 'vitest'
import { createAnthropicDialect } from '../../../src/summarizer/anthropic-dialect.ts'

const dialect = createAnthropicDialect()

const message = (content: unknown, stopReason = 'end_turn', extra: object = {}) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-test',
  content,
  stop_reason: stopReason,
  ...extra,
})

const text = (value: string) => ({ type: 'text', text: value })

const reply = (value: string, changes: object = {}) => ({
  text: value,
  toolCalls: false,
  refused: false,
  truncated: false,
  model: 'claude-test',
  ...changes,
})

describe('the Anthropic request', () => {
  it('sends the instructions as system, the input as one user message, and nothing that a model could refuse', () => {
    expect(
      dialect.body({
        model: 'claude-test',
        instructions: 'Write a summary.',
        input: 'user: hello',
        maxOutputTokens: 500,
      }),
    ).toEqual({
      model: 'claude-test',
      max_tokens: 500,
      system: 'Write a summary.',
      messages: [{ role: 'user', content: 'user: hello' }],
      stream: false,
    })
  })

  it('carries the key and the version in their headers, and no key header without a key', () => {
    expect(dialect.headers('secret')).toMatchObject({
      'x-api-key': 'secret',
      'anthropic-version': '2023-06-01',
    })
    expect(dialect.headers(undefined)).not.toHaveProperty('x-api-key')
  })
})

describe('the Anthropic answer', () => {
  it('joins its text blocks with nothing between them', () => {
    expect(dialect.read(message([text('The '), text('summary.')]))).toEqual(reply('The summary.'))
  })

  it('reports tool calls, with and without text beside them', () => {
    const call = { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }
    expect(dialect.read(message([call], 'tool_use'))).toEqual(reply('', { toolCalls: true }))
    expect(dialect.read(message([text('Text.'), call], 'tool_use'))).toEqual(
      reply('Text.', { toolCalls: true }),
    )
  })

  it.each(['max_tokens', 'model_context_window_exceeded'])(
    'reports a text that was cut by %s',
    (stopReason) => {
      expect(dialect.read(message([text('The summ')], stopReason))).toEqual(
        reply('The summ', { truncated: true }),
      )
    },
  )

  it('never takes thinking for the summary', () => {
    const thinking = { type: 'thinking', thinking: 'Let me think.', signature: 'c2ln' }
    const redacted = { type: 'redacted_thinking', data: 'b3BhcXVl' }
    expect(dialect.read(message([thinking, redacted], 'max_tokens'))).toEqual(
      reply('', { truncated: true }),
    )
    expect(dialect.read(message([thinking, text('The summary.')]))).toEqual(reply('The summary.'))
  })

  it('keeps nothing of an answer that was refused, neither the fragment nor the explanation', () => {
    const details = { type: 'refusal', category: 'bio', explanation: 'This was declined.' }
    const refused = message([text('The user wan')], 'refusal', { stop_details: details })
    expect(dialect.read(refused)).toEqual(reply('', { refused: true }))
  })

  it.each([
    ['no object', 'text'],
    ['null', null],
    ['no content', { id: 'x' }],
    ['content that is a string', message('The summary.')],
  ])('is malformed when it has %s', (_, payload) => {
    expect(dialect.read(payload)).toBeNull()
  })
})
