import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBufferSource } from '../../src/transcripts/claude-code/byte-source.ts'
import { readClaudeCodeSession } from '../../src/transcripts/claude-code/read-session.ts'
import { memberRanges } from '../../ui/data/json-text.ts'
import { messageText } from '../../ui/data/message-text.ts'
import { type Input, isProblem, readInput } from '../../ui/data/read-input.ts'
import { compactBody, FIRST_SETTINGS, settingsOf } from '../../ui/state/request-body.ts'
import { TIMED } from '../helpers/timed.ts'
import { longConversation, ODD_NUMBERS } from './support/conversations.ts'

function read(value: unknown): Input {
  const input = readInput(typeof value === 'string' ? value : JSON.stringify(value), 'a test')
  if (isProblem(input)) throw new Error(input.detail)
  return input
}

const post = (input: Input) =>
  compactBody({ input, settings: settingsOf(input), thresholds: {}, targetTokens: 100 })

describe('what is pasted', () => {
  it('is found in any JSON text, whatever stands around it', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()),
        fc.constantFrom(undefined, 1, '\t'),
        (object, indent) => {
          const text = ` ${JSON.stringify(object, null, indent)}\n`
          const ranges = memberRanges(text)
          const found = [...ranges].map(([name, { start, end }]) => [
            name,
            JSON.parse(text.slice(start, end)),
          ])
          expect(found).toEqual(Object.entries(JSON.parse(text)))
        },
      ),
    )
  })

  it('keeps the last of several members of one name, as a parser does', () => {
    const text = '{"a":[1],"b":"}","a":{"c":"\\"]"}}'
    const range = memberRanges(text).get('a')
    expect(range && text.slice(range.start, range.end)).toBe('{"c":"\\"]"}')
  })

  it('is posted with the very numbers that it came with', () => {
    const body = post(read(ODD_NUMBERS))
    expect(body).toContain('"x_number":12345678901234567890,"x_float":1.0')
    expect(JSON.parse(body)).toMatchObject({ targetTokens: 100, explain: 'all', record: true })
  })

  it.each([
    ['messages', [{ role: 'user', content: 'hi' }]],
    ['contents', [{ role: 'user', parts: [{ text: 'hi' }] }]],
    ['input', [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] }]],
  ])('may be a bare list, which is posted as %s', (list, items) => {
    const input = read(items)
    expect(input.list).toBe(list)
    expect(JSON.parse(post(input))[list]).toEqual(items)
  })

  it('may be a whole body, whose settings go on the controls', () => {
    const input = read({
      messages: [{ role: 'user', content: 'hi' }],
      model: 'gpt-4o',
      targetTokens: 500.5,
      profile: 'agent',
      currentRequest: null,
      options: { protectRecent: 2, relevance: { maxDropRatio: 0.1 } },
      pins: [0],
      dryRun: true,
      temperature: 0.3,
    })
    expect(settingsOf(input)).toEqual({
      profile: 'agent',
      format: '',
      model: 'gpt-4o',
      target: { by: 'tokens', tokens: 500 },
      request: { by: 'none' },
    })
    expect(input.ignored).toEqual(['temperature'])
    const thresholds = { minDropConfidence: 0.9 }
    const settings = settingsOf(input)
    const body = JSON.parse(compactBody({ input, settings, thresholds, targetTokens: 500 }))
    expect(body).toEqual({
      profile: 'agent',
      model: 'gpt-4o',
      currentRequest: null,
      targetTokens: 500,
      options: { protectRecent: 2, relevance: { maxDropRatio: 0.1, minDropConfidence: 0.9 } },
      explain: 'all',
      record: true,
      pins: [0],
      messages: [{ role: 'user', content: 'hi' }],
    })
  })

  it('is a body of a provider with nulls for what it does not set', () => {
    const input = read({ input: 'hello', tools: null, model: null, instructions: 'be brief' })
    expect(settingsOf(input)).toEqual(FIRST_SETTINGS)
    const body = JSON.parse(post(input))
    expect(body).toMatchObject({ input: 'hello', instructions: 'be brief' })
    expect(body).not.toHaveProperty('tools')
    expect(input.items).toHaveLength(1)
  })

  it('is read in a time that grows with it, and no faster', TIMED, () => {
    const time = (messages: number): number => {
      const text = longConversation(messages)
      const startedAt = performance.now()
      read(text)
      return performance.now() - startedAt
    }
    time(2_000)
    const small = Math.min(time(10_000), time(10_000), time(10_000))
    const large = Math.min(time(40_000), time(40_000), time(40_000))
    expect(large / small).toBeLessThan(10)
  })
})

describe('a session of Claude Code', () => {
  it('is the conversation that the command line makes of it, to the byte', async () => {
    const bytes = await readFile('examples/claude-code-session.jsonl')
    const expected = await readClaudeCodeSession(createBufferSource(bytes))
    const input = read(bytes.toString('utf8'))
    expect(`{"messages":${input.members.get('messages')}}`).toBe(expected.bytes.toString('utf8'))
    expect(input.members.get('pins')).toBe(JSON.stringify(expected.summaries))
    expect(settingsOf(input).model).toBe(expected.model ?? '')
  })

  it('is told where it is broken', async () => {
    const text = await readFile('examples/claude-code-session.jsonl', 'utf8')
    const lines = text.split('\n')
    lines[4] = '{"type":'
    const problem = readInput(lines.join('\n'), 'a test')
    expect(problem).toMatchObject({
      title: 'This session cannot be read',
      errors: [{ rule: 'json', detail: 'line 5: is not JSON' }],
    })
  })

  it('may end in the middle of a line, for it may still be written', async () => {
    const text = await readFile('examples/claude-code-session.jsonl', 'utf8')
    const whole = read(text)
    expect(read(`${text.trimEnd()}\n{"type":"user","uu`).items).toEqual(whole.items)
  })
})

describe('the text of a message', () => {
  it.each([
    ['plain text', { role: 'user', content: 'hello' }, 'hello'],
    [
      'parts of text, an image and a call',
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'looking' },
          { type: 'tool_use', id: 'a', name: 'read', input: { path: 'a.ts' } },
          { type: 'image', source: { type: 'base64', data: 'AAAA' } },
        ],
      },
      'looking\n→ read {\n  "path": "a.ts"\n}\n[image]',
    ],
    [
      'a call of OpenAI',
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ function: { name: 'f', arguments: '{}' } }],
      },
      '→ f {}',
    ],
    [
      'a result of Anthropic',
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'out' }] },
        ],
      },
      'out',
    ],
    [
      'a call and its answer of Gemini',
      {
        role: 'model',
        parts: [
          { functionCall: { name: 'f', args: { a: 1 } } },
          { functionResponse: { name: 'f', response: { result: 'fine' } } },
        ],
      },
      '→ f {\n  "a": 1\n}\n← f\nfine',
    ],
    [
      'an item of the Responses API',
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{"a":1}' },
      '→ f {"a":1}',
    ],
    [
      'an output of the AI SDK',
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c',
            toolName: 'f',
            output: { type: 'json', value: 3 },
          },
        ],
      },
      '3',
    ],
    ['nothing that is known', { kind: 'odd' }, '{\n  "kind": "odd"\n}'],
    ['nothing at all', null, ''],
  ])('is found in %s', (_name, message, text) => {
    expect(messageText(message as never)).toBe(text)
  })
})
