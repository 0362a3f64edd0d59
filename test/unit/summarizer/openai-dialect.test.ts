import { describe, expect, it } from 'vitest'
import { createOpenaiDialect } from '../../../src/summarizer/openai-dialect.ts'

const PROMPT = {
  model: 'gpt-test',
  instructions: 'Write a summary.',
  input: 'user: hello',
  maxOutputTokens: 500,
}

const dialect = createOpenaiDialect()

const completion = (message: unknown, finishReason: string | null = 'stop') => ({
  id: 'chatcmpl-1',
  model: 'gpt-test-2026-01-01',
  choices: [{ index: 0, message, finish_reason: finishReason }],
})

const reply = (text: string, changes: object = {}) => ({
  text,
  toolCalls: false,
  refused: false,
  truncated: false,
  model: 'gpt-test-2026-01-01',
  ...changes,
})

describe('the OpenAI request', () => {
  it('sends the instructions as system text and the input as one user message, and nothing that a model could refuse', () => {
    expect(dialect.body(PROMPT)).toEqual({
      model: 'gpt-test',
      messages: [
        { role: 'system', content: 'Write a summary.' },
        { role: 'user', content: 'user: hello' },
      ],
      max_completion_tokens: 500,
      stream: false,
    })
  })

  it('names the output limit the old way for servers that know no other', () => {
    const body = createOpenaiDialect('max_tokens').body(PROMPT)
    expect(body).toMatchObject({ max_tokens: 500 })
    expect(body).not.toHaveProperty('max_completion_tokens')
  })

  it('carries the key as a bearer token, and no authorization without a key', () => {
    expect(dialect.headers('secret')).toMatchObject({ authorization: 'Bearer secret' })
    expect(dialect.headers(undefined)).not.toHaveProperty('authorization')
  })
})

describe('the OpenAI answer', () => {
  it.each([
    ['a string', 'The summary.', 'The summary.'],
    [
      'parts, joined',
      [
        { type: 'text', text: 'The ' },
        { type: 'text', text: 'summary.' },
      ],
      'The summary.',
    ],
    [
      'parts of which one is reasoning',
      [
        { type: 'thinking', thinking: [{ type: 'text', text: 'Hmm.' }] },
        { type: 'text', text: 'The summary.' },
      ],
      'The summary.',
    ],
    ['null', null, ''],
    ['an empty list', [], ''],
  ])('reads content that is %s', (_, content, text) => {
    expect(dialect.read(completion({ role: 'assistant', content }))).toEqual(reply(text))
  })

  it('reports tool calls, with and without text beside them', () => {
    const calls = [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{}' } }]
    expect(dialect.read(completion({ content: null, tool_calls: calls }, 'tool_calls'))).toEqual(
      reply('', { toolCalls: true }),
    )
    expect(dialect.read(completion({ content: 'Text.', tool_calls: calls }))).toEqual(
      reply('Text.', { toolCalls: true }),
    )
    expect(dialect.read(completion({ content: null, function_call: { name: 'read' } }))).toEqual(
      reply('', { toolCalls: true }),
    )
    expect(dialect.read(completion({ content: 'Text.', tool_calls: [] }))).toEqual(reply('Text.'))
  })

  it('reports a text that the output limit cut', () => {
    expect(dialect.read(completion({ content: 'The summ' }, 'length'))).toEqual(
      reply('The summ', { truncated: true }),
    )
  })

  it('hands a refusal on as the text, so that the checks and the gate see it', () => {
    expect(dialect.read(completion({ content: null, refusal: 'I cannot help.' }))).toEqual(
      reply('I cannot help.', { refused: true }),
    )
    const part = { type: 'refusal', refusal: 'I cannot help.' }
    expect(dialect.read(completion({ content: [part] }))).toEqual(
      reply('I cannot help.', { refused: true }),
    )
  })

  it('keeps nothing of a text that a content filter stopped', () => {
    expect(dialect.read(completion({ content: 'The user wan' }, 'content_filter'))).toEqual(
      reply('', { refused: true }),
    )
  })

  it.each(['reasoning_content', 'reasoning'])('never takes %s for the summary', (member) => {
    const message = { content: null, [member]: 'Let me think about the summary.' }
    expect(dialect.read(completion(message, 'length'))).toEqual(reply('', { truncated: true }))
  })

  it('drops the thoughts that an answer opens with', () => {
    const content = '<think>\nWhat happened?\n</think>\n\nThe summary.'
    expect(dialect.read(completion({ content }))).toEqual(reply('The summary.'))
  })

  it.each([
    ['no object', 'text'],
    ['null', null],
    ['no choices', { id: 'x' }],
    ['an empty list of choices', { choices: [] }],
    ['a choice without a message', { choices: [{ index: 0, text: 'old' }] }],
    ['content of an unknown shape', completion({ content: 7 })],
  ])('is malformed when it has %s', (_, payload) => {
    expect(dialect.read(payload)).toBeNull()
  })

  it.each([[undefined], [''], [7], ['m'.repeat(257)]])(
    'takes the model name %j for not said',
    (model) => {
      expect(dialect.read({ ...completion({ content: 'x' }), model })?.model).toBeUndefined()
    },
  )
})
