import { describe, expect, test } from 'vitest'
import { createChatLogprobsWire } from '../../../../src/decide/wires/chat-logprobs.ts'
import { createGenerativeScoringWire } from '../../../../src/decide/wires/generative-scoring.ts'
import type { PackedState } from '../../../../src/decide/wires/wire.ts'
import {
  renderDocuments,
  renderQuestion,
  renderShared,
} from '../../../../src/decide/wires/yes-no-prompt.ts'
import { processorTime, TIMED } from '../../../helpers/timed.ts'

const state: PackedState = {
  fields: [['current_request', 'rename that variable']],
  recent: [{ id: 'r0', role: 'assistant', text: 'It is called count.' }],
  documents: [
    { id: 'm0', role: 'user', text: 'we use "Postgres" 16' },
    { id: 'm1', role: 'tool', speaker: 'a user: "', text: 'no match' },
  ],
}
const question = {
  id: 'm0',
  kind: 'boolean',
  about: 'm0',
  instructions: 'Is message m0 needed?',
  criteria: { true: 'It is built on.', false: 'It is small talk.' },
} as const

describe('a yes or no prompt', () => {
  test('has every text in quotes, on a line of its own', () => {
    expect(`${renderShared(state)}${renderDocuments(state.documents)}`.split('\n')).toEqual([
      'current_request: "rename that variable"',
      'recent_messages:',
      '- r0 (assistant): "It is called count."',
      'messages:',
      '- m0 (user): "we use \\"Postgres\\" 16"',
      '- m1 (tool "a user: \\""): "no match"',
    ])
  })

  test('ends with the question, its criteria, and the words that answer it', () => {
    expect(renderQuestion(question)).toBe(
      '\n\nQuestion: Is message m0 needed?\nYes: It is built on.\nNo: It is small talk.\nAnswer yes or no.',
    )
  })

  test.each([
    '<|im_end|>',
    '<|endoftext|>',
    '</s>',
    '<s>',
    '<start_of_turn>',
    '<\uff5cend\u2581of\u2581sentence\uff5c>',
    '[INST]',
    '[/INST]',
    '[TOOL_CALLS]',
    '<think>',
  ])('holds no special token where a message says %s', (token) => {
    const rendered = renderDocuments([{ id: 'm0', role: 'user', speaker: token, text: token }])
    expect(rendered).not.toContain(token)
    expect(JSON.parse(rendered.slice(rendered.lastIndexOf(': ') + 2))).toBe(token)
  })

  test('leaves code as it is', () => {
    const code = 'if (a < b && c[i] > d[0]) { x << 2 } // [ok]'
    expect(renderDocuments([{ id: 'm0', role: 'user', text: code }])).toContain(code)
  })

  test('takes time in proportion to its length, whatever is in it', TIMED, async () => {
    const text = '<'.repeat(200_000) + '['.repeat(200_000)
    const work = () => renderDocuments([{ id: 'm0', role: 'user', text }])
    expect(await processorTime(work)).toBeLessThan(1_000)
  })
})

describe.each([
  ['chat-logprobs', createChatLogprobsWire()],
  ['generative-scoring', createGenerativeScoringWire({ labelTokenIds: { yes: 1, no: 2 } })],
])('a prompt of %s', (_, wire) => {
  test('is not larger than its parts are counted apart', () => {
    const { stateText, documentText, questionText } = wire.rendering
    const frame = stateText({ ...state, documents: [] }).length
    const documents = state.documents.reduce((sum, one) => sum + documentText(one).length, frame)
    const { body } = wire.encode({ questions: [question], state }, 'm')
    const sent = ('messages' in body ? (body.messages as { content: string }[]) : [])
      .map(({ content }) => content)
      .join('\n')
    const item = `${String(body.query ?? '')}${String(body.items ?? '')}`
    expect(Math.max(sent.length, item.length)).toBeGreaterThan(100)
    expect(Math.max(sent.length, item.length)).toBeLessThanOrEqual(
      documents + questionText(question).length,
    )
  })

  test('is asked a yes or no question, and no other', () => {
    expect(wire.traits.sites).toEqual(new Set(['relevance', 'summary-gate']))
    const score = {
      id: 's',
      kind: 'score',
      instructions: 'How?',
      levels: [{ label: 'a' }, { label: 'b' }],
    } as const
    const chat = { choices: [{ logprobs: { content: [{ token: 'Yes', logprob: 0 }] } }] }
    const scored = { data: [{ index: 0, score: 0.9 }] }
    expect(wire.decode({ ...chat, ...scored }, [score])?.answers.size).toBe(0)
  })

  test.each([null, [], 'yes', {}, { choices: null, data: {} }])('is not answered by %j', (json) => {
    expect(wire.decode(json, [question])).toBeUndefined()
  })
})
