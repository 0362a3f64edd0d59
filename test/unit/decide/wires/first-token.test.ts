import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readFirstToken } from '../../../../src/decide/wires/first-token.ts'

type Alternatives = readonly (readonly [token: string, probability: number])[]
const list = (alternatives: Alternatives) =>
  alternatives.map(([token, probability]) => ({
    token,
    logprob: Math.log(probability),
    bytes: null,
  }))
/** A choice whose first token is the first of its alternatives. */
const choice = (...alternatives: Alternatives) => ({
  index: 0,
  message: { role: 'assistant', content: alternatives[0]?.[0], refusal: null },
  logprobs: { content: [{ ...list(alternatives)[0], top_logprobs: list(alternatives) }] },
  finish_reason: 'length',
})

describe('the first token of an answer', () => {
  test('gives yes over yes and no', () => {
    expect(readFirstToken(choice(['Yes', 0.6], ['No', 0.2], ['The', 0.2]))).toBeCloseTo(0.75, 12)
  })

  test('is taken together with every other spelling of its word', () => {
    const spellings: Alternatives = [
      ['No', 0.3],
      ['yes', 0.2],
      [' Yes', 0.1],
      ['YES', 0.05],
      ['\u2581yes', 0.05],
      [' no', 0.1],
      ['\u0120no', 0.1],
      ['no\n', 0.1],
    ]
    expect(readFirstToken(choice(...spellings))).toBeCloseTo(0.4, 12)
  })

  test.each(['not', 'None', 'nope', 'yesterday', 'Y', 'N', 'no.', 'true', ''])(
    'is not a word because it is like one: %j',
    (token) => {
      expect(readFirstToken(choice([token, 0.99]))).toBeUndefined()
    },
  )

  test('counts once where it stands among its alternatives, and where it stands beside them', () => {
    const inside = choice(['Yes', 0.5], ['No', 0.5])
    const beside = {
      ...inside,
      logprobs: { content: [{ ...list([['No', 0.5]])[0], top_logprobs: list([['Yes', 0.5]]) }] },
    }
    expect(readFirstToken(inside)).toBeCloseTo(0.5, 12)
    expect(readFirstToken(beside)).toBeCloseTo(0.5, 12)
  })

  test('may have alternatives that are next to impossible', () => {
    const certain = choice(['Yes', 0.9], ['No', 0.1])
    certain.logprobs.content[0]?.top_logprobs.push({ token: 'A', logprob: -9999, bytes: null })
    expect(readFirstToken(certain)).toBeCloseTo(0.9, 12)
  })

  test('leaves to an unseen word what it may have', () => {
    expect(readFirstToken(choice(['No', 0.6]))).toBeCloseTo(0.4, 12)
    expect(readFirstToken(choice(['No', 0.9], ['The', 0.01]))).toBeCloseTo(0.01 / 0.91, 12)
    const twenty: Alternatives = [
      ['No', 0.98],
      ...Array.from({ length: 19 }, (_, index) => [`t${index}`, 1e-6] as const),
    ]
    expect(readFirstToken(choice(...twenty))).toBeLessThan(1e-5)
  })

  test('is no answer where yes and no together are the lesser part (P6)', () => {
    expect(readFirstToken(choice(['I', 0.6], ['No', 0.39], ['Yes', 0.001]))).toBeUndefined()
    expect(readFirstToken(choice(['<think>', 0.9], ['No', 0.1]))).toBeUndefined()
    expect(readFirstToken(choice(['No', 0.51], ['I', 0.4]))).toBeDefined()
  })

  test.each([
    ['a logarithm above 0', 0.4],
    ['NaN', Number.NaN],
    ['a text', '-0.1'],
    ['null', null],
    ['missing', undefined],
  ])('is no answer with a probability that is %s (P6)', (_, logprob) => {
    const wrong = { logprobs: { content: [{ token: 'No', logprob, top_logprobs: [] }] } }
    expect(readFirstToken(wrong)).toBeUndefined()
    const beside = choice(['No', 0.9])
    const content = [{ ...beside.logprobs.content[0], top_logprobs: [{ token: 'Yes', logprob }] }]
    expect(readFirstToken({ ...beside, logprobs: { content } })).toBeUndefined()
  })

  test('is no answer where the probabilities come to more than 1 (P6)', () => {
    expect(readFirstToken(choice(['No', 0.9], ['Yes', 0.9]))).toBeUndefined()
  })

  test.each([
    ['null', null],
    ['no object', 'No'],
    ['without probabilities', { message: { content: 'No' }, logprobs: null }],
    ['without tokens', { logprobs: { content: [] } }],
    ['with tokens that are none', { logprobs: { content: ['No'] } }],
    ['with no list of tokens', { logprobs: { content: null } }],
    ['a refusal', { ...choice(['No', 1]), message: { refusal: 'I cannot help with that.' } }],
    ['filtered', { ...choice(['No', 1]), finish_reason: 'content_filter' }],
  ])('of a choice that is %s is no answer (P6)', (_, wrong) => {
    expect(readFirstToken(wrong)).toBeUndefined()
  })

  test('is a probability or no answer, whatever the numbers are', () => {
    const token = fc.oneof(fc.constantFrom('Yes', 'No', ' yes', ' no', 'The'), fc.string())
    const logprob = fc.oneof(fc.double(), fc.double({ min: -20, max: 0, noNaN: true }))
    const item = fc.record({ token, logprob })
    fc.assert(
      fc.property(item, fc.array(item, { maxLength: 20 }), (first, top_logprobs) => {
        const read = readFirstToken({ logprobs: { content: [{ ...first, top_logprobs }] } })
        expect(read === undefined || (read >= 0 && read <= 1)).toBe(true)
      }),
      { seed: 20_261_130 },
    )
  })
})
