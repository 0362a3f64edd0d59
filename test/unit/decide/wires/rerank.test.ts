import { describe, expect, test } from 'vitest'
import { createRerankWire } from '../../../../src/decide/wires/rerank.ts'
import { RERANK_DIALECTS } from '../../../../src/decide/wires/rerank-dialects.ts'
import type { PackedState } from '../../../../src/decide/wires/wire.ts'
import type { Question } from '../../../../src/engine/ports.ts'

const about = (id: string): Question => ({
  id,
  kind: 'boolean',
  about: id,
  instructions: 'Needed?',
})
const state: PackedState = {
  fields: [
    ['current_request', 'rename that variable'],
    ['rule', 'A message is needed if it says so.'],
  ],
  recent: [{ id: 'r0', role: 'assistant', text: 'It is called count.' }],
  documents: [
    { id: 'm0', role: 'user', text: 'we use Postgres 16' },
    { id: 'm1', role: 'user', speaker: 'Ada', text: 'thanks!' },
  ],
}
const questions = [about('m0'), about('m1')]
const cohere = createRerankWire({ dialect: 'cohere' })
const tei = createRerankWire({ dialect: 'tei' })
const llama = createRerankWire({ dialect: 'llama-cpp' })
const decode = (json: unknown, wire = cohere, asked: readonly Question[] = questions) => {
  const decoded = wire.decode(json, asked)
  return decoded && Object.fromEntries(decoded.answers)
}
const yes = (probability: number) => ({ kind: 'boolean', probability })

describe('a rerank request', () => {
  const texts = ['we use Postgres 16', 'Ada: thanks!']
  const common = { model: 'r1', query: 'rename that variable', documents: texts, top_n: 2 }
  test.each([
    ['cohere', common],
    ['jina', { ...common, return_documents: false }],
    ['vllm', { ...common, truncate_prompt_tokens: -1 }],
    ['infinity', { ...common, return_documents: false, raw_scores: false }],
    ['llama-cpp', common],
    ['tei', { query: 'rename that variable', texts, raw_scores: false, truncate: true }],
  ] as const)('has the form that %s documents', (dialect, body) => {
    expect(createRerankWire({ dialect }).encode({ questions, state }, 'r1')).toEqual({ body })
  })

  test('holds the documents in the order of the questions, those of the recent window too', () => {
    const { body } = cohere.encode({ questions: [about('m1'), about('r0')], state }, 'r1')
    expect(body.documents).toEqual(['Ada: thanks!', 'It is called count.'])
  })

  test('cuts a long request in its middle', () => {
    const long = `first ${'word '.repeat(2_000)}last`
    const { body } = cohere.encode(
      { questions, state: { ...state, fields: [['current_request', long]] } },
      'r1',
    )
    expect(String(body.query).length).toBeLessThanOrEqual(1_000)
    expect(body.query).toMatch(/^first .*left out.*last$/)
  })

  test('is not larger than its parts are counted apart', () => {
    for (const dialect of RERANK_DIALECTS) {
      const { stateText, documentText, questionText } = createRerankWire({ dialect }).rendering
      const frame = stateText({ ...state, documents: [] }).length
      const apart = state.documents.reduce((sum, one) => sum + documentText(one).length, frame)
      expect(stateText(state).length).toBeLessThanOrEqual(apart)
      expect(questionText(about('m0'))).toBe('')
      expect(stateText(state)).not.toContain('It is called count.')
    }
  })
})

describe('a rerank answer', () => {
  const results = [
    { index: 1, relevance_score: 0.98 },
    { index: 0, relevance_score: 0.07 },
  ]

  test('is sorted by score, and read by index', () => {
    expect(decode({ id: 'x', results, meta: { billed_units: { search_units: 1 } } })).toEqual({
      m0: yes(0.07),
      m1: yes(0.98),
    })
  })

  test('may be a bare array with other names', () => {
    expect(decode([{ index: 1, score: 0.9, text: 'thanks!' }], tei)).toEqual({ m1: yes(0.9) })
  })

  test('names its model where it has one', () => {
    expect(cohere.decode({ model: 'bge', results }, questions)?.model).toBe('bge')
    expect(cohere.decode({ results }, questions)).not.toHaveProperty('model')
  })

  test('of logits goes through the sigmoid', () => {
    const logits = [
      { index: 0, relevance_score: -11 },
      { index: 1, relevance_score: Math.log(4) },
    ]
    expect(decode({ results: logits }, llama)).toEqual({
      m0: yes(expect.closeTo(1 / (1 + Math.exp(11)), 12)),
      m1: yes(expect.closeTo(0.8, 12)),
    })
    expect(decode({ results: [{ index: 0, relevance_score: '3' }] }, llama)).toEqual({})
  })

  test.each([
    ['a score above 1', { index: 0, relevance_score: 1.01 }],
    ['a score below 0', { index: 0, relevance_score: -0.01 }],
    ['a score that is a text', { index: 0, relevance_score: '0.01' }],
    ['a score that is null', { index: 0, relevance_score: null }],
    ['no score', { index: 0 }],
    ['an index that is a text', { index: '0', relevance_score: 0.01 }],
    ['an index that is no integer', { index: 0.5, relevance_score: 0.01 }],
    ['an index below 0', { index: -1, relevance_score: 0.01 }],
    ['an index that was not asked', { index: 2, relevance_score: 0.01 }],
    ['something that is no object', 0.01],
    ['nothing', null],
  ])('with %s leaves that question unanswered (P6)', (_, result) => {
    expect(decode({ results: [result, { index: 1, relevance_score: 0.5 }] })).toEqual({
      m1: yes(0.5),
    })
  })

  test('that comes twice answers nothing', () => {
    expect(decode({ results: [...results, { index: 0, relevance_score: 0.9 }] })).toEqual({
      m1: yes(0.98),
    })
  })

  test('of 0 is a score', () => {
    expect(decode({ results: [{ index: 0, relevance_score: 0 }] })).toEqual({ m0: yes(0) })
  })

  test.each([null, 'ok', 3, {}, { results: {} }, { data: [] }, { results: null }])(
    'is none when it is %j',
    (json) => {
      expect(cohere.decode(json, questions)).toBeUndefined()
    },
  )

  test('answers no question that is not about a message', () => {
    const gate: Question = { id: 'preserves', kind: 'boolean', instructions: 'Kept?' }
    expect(decode({ results }, cohere, [gate, about('m1')])).toEqual({ m1: yes(0.98) })
  })
})

test('a reranker ranks better than age, and its scores are not summed', () => {
  expect(cohere.traits).toEqual({
    order: 'least-needed-first',
    riskBudget: undefined,
    sites: new Set(['relevance']),
  })
})

describe('a rerank error', () => {
  test('of llama.cpp that is only told in words is no failure of the server', () => {
    const message = 'input is too large to process. increase the physical batch size'
    const json = { error: { code: 500, message, type: 'server_error' } }
    expect(llama.classifyError(500, json)).toBe('max-tokens-exceeded')
    expect(tei.classifyError(500, json)).toBe('server')
    const other = { error: { code: 500, message: 'out of memory', type: 'server_error' } }
    expect(llama.classifyError(500, other)).toBe('server')
  })

  test('of Cohere tells too many tokens from other bad requests', () => {
    const message = 'too many tokens: size limit exceeded by 11 tokens.'
    expect(cohere.classifyError(400, { id: 'x', message })).toBe('max-tokens-exceeded')
    const other = 'invalid request: the words too many tokens stand in it'
    expect(cohere.classifyError(400, { id: 'x', message: other })).toBe('invalid-request')
  })
})
