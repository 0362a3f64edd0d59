import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FitResult, fitRequests } from '../../../src/decide/fit.ts'
import { openaiDecisionsWire } from '../../../src/decide/wires/openai-decisions.ts'
import { systemOneWire } from '../../../src/decide/wires/systemone.ts'
import type { PackedRequest, Wire, WireLimits } from '../../../src/decide/wires/wire.ts'
import type { DecisionDocument, DecisionSite, Question } from '../../../src/engine/ports.ts'
import type { CountTokens } from '../../../src/engine/transcript.ts'

const thirdOfBytes: CountTokens = (text) => Math.ceil(Buffer.byteLength(text) / 3)
/** Neither additive nor smooth: words and signs, as tokenizers see them. */
const pieces: CountTokens = (text) => text.match(/[a-z]{1,6}|\d{1,3}|[^\sa-z\d]/giu)?.length ?? 0
const wires: Wire[] = [systemOneWire, openaiDecisionsWire]

const message = (index: number, text: string): DecisionDocument => ({
  id: `m${index}`,
  role: index % 2 === 0 ? 'user' : 'assistant',
  text,
})
const question = (index: number, length = 40): Question => ({
  id: `q${index}`,
  kind: 'boolean',
  about: `m${index}`,
  instructions: `Is document m${index} needed? ${'x'.repeat(length)}`,
})

interface Setting {
  texts: string[]
  questions?: Question[]
  recent?: DecisionDocument[]
  fields?: Record<string, string>
  site?: DecisionSite
  wire?: Wire
  limits?: Partial<WireLimits>
  maxQuestions?: number
  countTokens?: CountTokens
}

function pack(setting: Setting): FitResult {
  const wire = setting.wire ?? systemOneWire
  return fitRequests(
    {
      site: setting.site ?? 'relevance',
      questions: setting.questions ?? setting.texts.map((_, index) => question(index)),
      state: {
        fields: setting.fields ?? { current_request: 'Rename that variable.' },
        recent: setting.recent ?? [
          { id: 'r0', role: 'user', text: 'The variable is called count.' },
        ],
        documents: setting.texts.map((text, index) => message(index, text)),
      },
    },
    {
      limits: { ...wire.limits, ...setting.limits },
      maxQuestions: setting.maxQuestions ?? 300,
      rendering: wire.rendering,
      countTokens: setting.countTokens ?? thirdOfBytes,
    },
  )
}

/** What a server would count of the body that is sent. */
function measure(wire: Wire, request: PackedRequest, countTokens: CountTokens) {
  const { body } = wire.encode(request, 'm')
  const state = wire === systemOneWire ? JSON.stringify(body.state) : String(body.input)
  const questions = Object.values(body.questions as object).map((one) =>
    countTokens(JSON.stringify(one)),
  )
  const stateTokens = countTokens(state) + wire.limits.requestOverheadTokens
  const framing = wire.limits.questionOverheadTokens
  return {
    longest: stateTokens + Math.max(...questions) + framing,
    total: stateTokens + questions.reduce((sum, tokens) => sum + tokens + framing, 0),
  }
}

const asked = ({ requests }: FitResult) =>
  requests.flatMap(({ questions }) => questions.map(({ id }) => id))
const textsOf = ({ state }: PackedRequest) => state.documents.map(({ text }) => text)
const previewLengths = (result: FitResult) =>
  result.requests.flatMap((request) => textsOf(request).map((text) => text.length))

describe('a batch that fits', () => {
  test('is one request with every text whole', () => {
    const result = pack({ texts: ['we use Postgres 16', 'thanks!'] })
    expect(result.requests).toHaveLength(1)
    expect(result.notAsked).toBe(0)
    expect(result.requests.flatMap(textsOf)).toEqual(['we use Postgres 16', 'thanks!'])
  })

  test('shows at most 1,200 characters of a message, head and tail', () => {
    const result = pack({ texts: [`START${'x'.repeat(5_000_000)}END`] })
    const [text = ''] = result.requests.flatMap(textsOf)
    expect(text.length).toBeLessThanOrEqual(1_200)
    expect(text.length).toBeGreaterThan(1_190)
    expect(text.startsWith('START')).toBe(true)
    expect(text.endsWith('END')).toBe(true)
  })

  test('shows 4,000 characters of the current request, head and tail (W26)', () => {
    const { requests } = pack({
      texts: ['a'],
      fields: { current_request: `${'x'.repeat(9_000)} In short: rename it.` },
    })
    const [, text = ''] = requests[0]?.state.fields[0] ?? []
    expect(text.length).toBeLessThanOrEqual(4_000)
    expect(text.endsWith('In short: rename it.')).toBe(true)
  })

  test('shows the gate 12,000 characters of a summary', () => {
    const { requests } = pack({
      texts: ['a'],
      site: 'summary-gate',
      fields: { summary: 's'.repeat(20_000) },
    })
    const [, text = ''] = requests[0]?.state.fields[0] ?? []
    expect(text.length).toBeGreaterThan(11_990)
    expect(text.length).toBeLessThanOrEqual(12_000)
  })

  test('asks nothing when there is nothing to ask', () => {
    expect(pack({ texts: [] })).toEqual({ requests: [], notAsked: 0 })
  })

  test('does not let a name fill the state', () => {
    const recent: DecisionDocument[] = [
      { id: 'r0', role: 'user', speaker: 'n'.repeat(1_000_000), text: 'hello' },
    ]
    const { requests } = pack({ texts: ['a'], recent })
    expect(requests[0]?.state.recent[0]?.speaker?.length).toBeLessThanOrEqual(64)
  })
})

describe('a batch that is too large', () => {
  test('300 full messages are asked about, where the peer’s batch was refused (W20)', () => {
    const result = pack({
      texts: Array.from({ length: 300 }, (_, index) => `${index} ${'word '.repeat(400)}`),
      questions: Array.from({ length: 300 }, (_, index) => question(index, 200)),
    })
    expect(asked(result)).toHaveLength(300)
    expect(result.notAsked).toBe(0)
    expect(result.requests).toHaveLength(1)
  })

  test('shortens previews before it splits', () => {
    const texts = Array.from({ length: 60 }, () => 'word '.repeat(400))
    const limits = { maxStateAndLongestQuestionTokens: 12_000, maxTotalTokens: 24_000 }
    const result = pack({ texts, limits })
    expect(result.requests).toHaveLength(1)
    const [length = 0] = previewLengths(result)
    expect(length).toBeLessThan(1_200)
    expect(length).toBeGreaterThanOrEqual(160)
    expect(new Set(previewLengths(result)).size).toBe(1)
  })

  test('makes previews as long as the limit lets them be', () => {
    const texts = Array.from({ length: 60 }, () => 'word '.repeat(400))
    const limits = { maxStateAndLongestQuestionTokens: 12_000, maxTotalTokens: 24_000 }
    const [request] = pack({ texts, limits }).requests
    if (request === undefined) throw new Error('expected a request')
    // Sixty previews of 17 more characters each are 340 tokens of this counter.
    expect(measure(systemOneWire, request, thirdOfBytes).longest).toBeGreaterThan(12_000 - 600)
  })

  test('does not split because texts are denser in the middle than at their ends', () => {
    const texts = Array.from(
      { length: 60 },
      () => `${'a'.repeat(110)}${'漢'.repeat(2_000)}${'a'.repeat(60)}`,
    )
    const limits = { maxStateAndLongestQuestionTokens: 8_000, maxTotalTokens: 16_000 }
    const result = pack({ texts, limits })
    expect(result.requests).toHaveLength(1)
    expect(Math.min(...previewLengths(result))).toBeGreaterThan(160)
  })

  test('splits when previews cannot become shorter, each request with its own documents only', () => {
    const texts = Array.from({ length: 60 }, () => 'word '.repeat(400))
    const limits = { maxStateAndLongestQuestionTokens: 3_000, maxTotalTokens: 6_000 }
    const result = pack({ texts, limits })
    expect(result.requests.length).toBeGreaterThan(1)
    expect(result.notAsked).toBe(0)
    for (const { questions, state } of result.requests) {
      expect(state.documents.map(({ id }) => id)).toEqual(
        questions.map((one) => (one.kind === 'boolean' ? one.about : undefined)),
      )
      expect(state.fields).toEqual([['current_request', 'Rename that variable.']])
      expect(state.recent.map(({ id }) => id)).toEqual(['r0'])
    }
  })

  test('splits at the number of questions that a wire takes', () => {
    const texts = Array.from({ length: 300 }, (_, index) => `message ${index}`)
    const result = pack({ texts, wire: openaiDecisionsWire })
    expect(result.requests.map(({ questions }) => questions.length)).toEqual([128, 128, 44])
  })

  test('leaves out the newest of more than 300 and says how many', () => {
    const texts = Array.from({ length: 350 }, (_, index) => `message ${index}`)
    const result = pack({ texts })
    expect(asked(result)).toEqual(Array.from({ length: 300 }, (_, index) => `q${index}`))
    expect(result.notAsked).toBe(50)
  })

  test('shortens the recent window only where nothing could be asked otherwise', () => {
    const recent = Array.from({ length: 6 }, (_, index) => ({
      ...message(index, 'word '.repeat(600)),
      id: `r${index}`,
    }))
    const texts = Array.from({ length: 60 }, () => 'word '.repeat(600))
    const shown = (longest: number) => {
      const limits = { maxStateAndLongestQuestionTokens: longest, maxTotalTokens: 2 * longest }
      const { requests, notAsked } = pack({ texts, recent, limits })
      const lengths = requests.flatMap(({ state }) => state.recent.map(({ text }) => text.length))
      return { notAsked, longest: Math.max(...lengths) }
    }
    expect(shown(12_000)).toEqual({ notAsked: 0, longest: 1_200 })
    expect(shown(1_500)).toEqual({ notAsked: 0, longest: 160 })
  })

  test('keeps asking around a question that fits nowhere', () => {
    const questions = [question(0), question(1, 20_000), question(2)]
    const limits = { maxStateAndLongestQuestionTokens: 3_000, maxTotalTokens: 6_000 }
    const result = pack({ texts: ['a', 'b', 'c'], questions, limits })
    expect(asked(result)).toEqual(['q0', 'q2'])
    expect(result.requests).toHaveLength(1)
    expect(result.notAsked).toBe(1)
  })

  test('asks nothing when the fields alone are too large', () => {
    const limits = { maxStateAndLongestQuestionTokens: 300, maxTotalTokens: 600 }
    expect(pack({ texts: ['a', 'b'], limits })).toEqual({ requests: [], notAsked: 2 })
  })

  test('shows documents in conversation order, whatever the order of the questions', () => {
    const questions = [question(2), question(0), question(1)]
    const result = pack({ texts: ['first', 'second', 'third'], questions })
    expect(asked(result)).toEqual(['q2', 'q0', 'q1'])
    expect(result.requests.flatMap(textsOf)).toEqual(['first', 'second', 'third'])
  })

  test('shows a text once where two questions are about it', () => {
    const questions = [question(0), { ...question(0), id: 'again' }, question(1)]
    const { requests } = pack({ texts: ['first', 'second'], questions })
    expect(requests.flatMap(textsOf)).toEqual(['first', 'second'])
  })
})

describe('questions about everything', () => {
  const gate: Question[] = ['preserves', 'is_refusal'].map((id) => ({
    id,
    kind: 'boolean',
    instructions: 'Does the summary keep what matters?',
  }))

  test('see all documents, shortened as far as it takes, in one request', () => {
    const texts = Array.from({ length: 120 }, () => 'word '.repeat(400))
    const limits = { maxStateAndLongestQuestionTokens: 8_000, maxTotalTokens: 16_000 }
    const result = pack({ texts, questions: gate, site: 'summary-gate', limits })
    expect(result.requests).toHaveLength(1)
    expect(result.requests[0]?.state.documents).toHaveLength(120)
    expect(asked(result)).toEqual(['preserves', 'is_refusal'])
    expect(Math.max(...previewLengths(result))).toBeLessThan(160)
    expect(Math.min(...previewLengths(result))).toBeGreaterThanOrEqual(80)
  })

  test('are not asked of documents that cannot all be shown', () => {
    const texts = Array.from({ length: 2_000 }, () => 'word '.repeat(400))
    expect(pack({ texts, questions: gate, site: 'summary-gate' })).toEqual({
      requests: [],
      notAsked: 2,
    })
  })

  test('share a request with the others where all fit, and stand apart where they do not', () => {
    const texts = Array.from({ length: 60 }, () => 'word '.repeat(400))
    const mixed = [...gate, ...texts.map((_, index) => question(index))]
    expect(pack({ texts, questions: mixed }).requests).toHaveLength(1)
    const limits = { maxStateAndLongestQuestionTokens: 4_000, maxTotalTokens: 6_000 }
    const apart = pack({ texts, questions: mixed, limits })
    expect(apart.requests.map(({ questions }) => questions.length)).toEqual([
      2,
      ...apart.requests.slice(1).map(({ questions }) => questions.length),
    ])
    expect(asked(apart)).toEqual(mixed.map(({ id }) => id))
    expect(apart.requests[0]?.state.documents).toHaveLength(60)
  })
})

describe('for every conversation', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc
      .tuple(
        fc.constantFrom('word ', '漢字', '😀', '"\\', '\u0000', '{"id":"m1"}\n', '\ud83d', 'zqxj7'),
        fc.integer({ min: 1, max: 900 }),
      )
      .map(([unit, times]) => unit.repeat(times)),
  )
  const setting = fc.record({
    texts: fc.array(text, { minLength: 1, maxLength: 40 }),
    questionLengths: fc.array(fc.integer({ min: 0, max: 1_500 }), { minLength: 40, maxLength: 40 }),
    wholeQuestions: fc.integer({ min: 0, max: 2 }),
    recent: fc.array(text, { maxLength: 3 }),
    request: text,
    wire: fc.constantFrom(...wires),
    countTokens: fc.constantFrom(thirdOfBytes, pieces),
    longest: fc.integer({ min: 400, max: 9_000 }),
    total: fc.integer({ min: 400, max: 20_000 }),
    maxQuestionsPerRequest: fc.integer({ min: 1, max: 40 }),
    maxQuestions: fc.integer({ min: 1, max: 45 }),
  })

  const run = (one: typeof setting extends fc.Arbitrary<infer T> ? T : never) => {
    const questions: Question[] = one.texts.map((_, index) =>
      question(index, one.questionLengths[index]),
    )
    for (let index = 0; index < one.wholeQuestions; index += 1) {
      questions.unshift({ id: `whole${index}`, kind: 'boolean', instructions: 'All of it?' })
    }
    const limits = {
      maxStateAndLongestQuestionTokens: one.longest,
      maxTotalTokens: one.total,
      maxQuestionsPerRequest: one.maxQuestionsPerRequest,
    }
    const recent = one.recent.map((value, index) => ({ ...message(index, value), id: `r${index}` }))
    const result = pack({
      ...one,
      questions,
      recent,
      limits,
      fields: { current_request: one.request },
    })
    return { questions, result, limits }
  }
  const options = {
    seed: 20_261_129,
    numRuns: 150,
    interruptAfterTimeLimit: 15_000,
    markInterruptAsFailure: true,
  }

  test('no request is over a limit', () => {
    fc.assert(
      fc.property(setting, (one) => {
        const { result, limits } = run(one)
        for (const request of result.requests) {
          const { longest, total } = measure(one.wire, request, one.countTokens)
          expect(longest).toBeLessThanOrEqual(limits.maxStateAndLongestQuestionTokens)
          expect(total).toBeLessThanOrEqual(limits.maxTotalTokens)
          expect(request.questions.length).toBeLessThanOrEqual(limits.maxQuestionsPerRequest)
          expect(request.questions.length).toBeGreaterThan(0)
        }
      }),
      options,
    )
  })

  test('each question is asked once, in order, or counted as not asked', () => {
    fc.assert(
      fc.property(setting, (one) => {
        const { questions, result } = run(one)
        const ids = asked(result)
        expect(ids.length + result.notAsked).toBe(questions.length)
        expect(ids.length).toBeLessThanOrEqual(one.maxQuestions)
        const remaining = new Set(ids)
        expect(ids).toEqual(questions.map(({ id }) => id).filter((id) => remaining.has(id)))
      }),
      options,
    )
  })

  test('each text appears once per request, in conversation order, with no broken character', () => {
    fc.assert(
      fc.property(setting, (one) => {
        for (const request of run(one).result.requests) {
          const numbers = request.state.documents.map(({ id }) => Number(id.slice(1)))
          expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
          const { body } = one.wire.encode(request, 'm')
          expect(JSON.stringify(body)).not.toMatch(/\\ud[89a-f]/i)
          for (const { text: preview } of request.state.documents) {
            expect(preview.length).toBeLessThanOrEqual(1_200)
          }
        }
      }),
      options,
    )
  })

  test('the same conversation is packed the same way', () => {
    fc.assert(
      fc.property(setting, (one) => {
        expect(run(one).result).toEqual(run(one).result)
      }),
      { ...options, numRuns: 30 },
    )
  })
})

test('the counter sees a bounded part of each text, however large the texts are (P13)', () => {
  const count = (size: number) => {
    let characters = 0
    pack({
      texts: Array.from({ length: 300 }, () => 'word '.repeat(size)),
      countTokens: (text) => {
        characters += text.length
        return thirdOfBytes(text)
      },
    })
    return characters
  }
  expect(count(100_000)).toBeLessThanOrEqual(count(1_000) * 1.05)
})

test.each([
  ['nobody asks about', undefined],
  ['can never all be shown', [{ id: 'gate', kind: 'boolean', instructions: 'All of it?' }]],
] as const)('documents that %s cost nothing', (_, questions) => {
  let calls = 0
  const texts = Array.from({ length: 20_000 }, (_, index) => `message ${index}`)
  pack({
    texts,
    ...(questions && { questions: [...questions] }),
    countTokens: (text) => {
      calls += 1
      return thirdOfBytes(text)
    },
  })
  expect(calls).toBeLessThan(5_000)
})
