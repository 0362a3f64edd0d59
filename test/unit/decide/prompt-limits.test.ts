import { describe, expect, test } from 'vitest'
import { fitRequests } from '../../../src/decide/fit.ts'
import { scaleLimits } from '../../../src/decide/limits.ts'
import { createGenerativeScoringWire } from '../../../src/decide/wires/generative-scoring.ts'
import { createRerankWire } from '../../../src/decide/wires/rerank.ts'
import type { WireLimits } from '../../../src/decide/wires/wire.ts'
import { gateRequest, relevanceRequest } from '../../helpers/decide-servers/relevance-request.ts'

const countTokens = (text: string) => Math.ceil(text.length / 4)
const wire = createGenerativeScoringWire({ labelTokenIds: { yes: 1, no: 2 } })
const pack = (
  request: ReturnType<typeof relevanceRequest>,
  limits: Partial<WireLimits>,
  packed = wire,
) =>
  fitRequests(request, {
    limits: { ...packed.limits, ...limits },
    maxQuestions: 300,
    rendering: packed.rendering,
    countTokens,
  })
const long = (index: number) => `${index} ${'lorem ipsum dolor '.repeat(100)}`
const texts = (count: number) => Array.from({ length: count }, (_, index) => long(index))

describe('a limit on each prompt', () => {
  test('shortens previews of all alike, and does not bound what a request holds', () => {
    const { requests, notAsked } = pack(relevanceRequest(texts(60)), { maxPromptTokens: 300 })
    expect(notAsked).toBe(0)
    expect(requests).toHaveLength(1)
    const [request] = requests
    if (request === undefined) throw new Error('nothing was packed')
    const lengths = request.state.documents.map(({ text }) => text.length)
    expect(Math.max(...lengths)).toBeLessThan(900)
    expect(Math.min(...lengths)).toBeGreaterThan(300)
    const { body } = wire.encode(request, 'm')
    for (const item of body.items as string[]) {
      expect(countTokens(`${String(body.query)}${item}`)).toBeLessThanOrEqual(300)
    }
  })

  test('leaves previews whole where it is far away', () => {
    const [request] = pack(relevanceRequest(texts(3)), { maxPromptTokens: 8_192 }).requests
    expect(request?.state.documents[0]?.text.length).toBeGreaterThan(1_190)
  })

  test('leaves out what no preview makes fit', () => {
    expect(pack(relevanceRequest(texts(3)), { maxPromptTokens: 90 })).toEqual({
      requests: [],
      notAsked: 3,
    })
  })

  test('holds for the whole state where a question needs it', () => {
    expect(pack(gateRequest(), { maxPromptTokens: 200 }).requests).toHaveLength(1)
    expect(pack(gateRequest(), { maxPromptTokens: 60 })).toEqual({ requests: [], notAsked: 2 })
  })

  test('is the pair of query and document for a reranker', () => {
    const llama = createRerankWire({ dialect: 'llama-cpp' })
    const { requests } = pack(relevanceRequest(texts(2)), { maxPromptTokens: 120 }, llama)
    const [request] = requests
    const [first = ''] = request?.state.documents.map(({ text }) => text) ?? []
    expect(countTokens(`Rename that variable.${first}`)).toBeLessThanOrEqual(116)
    expect(first.length).toBeGreaterThan(300)
  })

  test('is scaled with the others', () => {
    expect(scaleLimits({ ...wire.limits, maxPromptTokens: 1_000 }, 0.9).maxPromptTokens).toBe(900)
    const { maxPromptTokens: _, ...without } = wire.limits
    expect(scaleLimits(without, 0.9)).not.toHaveProperty('maxPromptTokens')
  })
})
