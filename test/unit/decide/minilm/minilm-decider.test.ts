import { describe, expect, it } from 'vitest'
import { createDigestCache } from '../../../../src/decide/embedded/digest-cache.ts'
import { defaultEmbedder } from '../../../../src/decide/embedded/embed.ts'
import type { SpokenText } from '../../../../src/decide/embedded/read-bounded.ts'
import type { EmbedTexts } from '../../../../src/decide/minilm/embed-texts.ts'
import { createMinilmDecider } from '../../../../src/decide/minilm/minilm-decider.ts'
import { EMBEDDED_SITES } from '../../../../src/decide/wire-names.ts'
import type { DecideRequest } from '../../../../src/engine/ports.ts'
import { documents, questionsAbout, smallTalk } from '../embedded/helpers.ts'

const TIMEOUT_MS = 1_000
const digests = createDigestCache(defaultEmbedder, 1_000_000)
const REQUEST = 'What was it again with the invoice service?'

/** The thirteenth message says it in other words. */
const TEXTS = smallTalk(40)
TEXTS[12] = 'The billing program tries seven times before it gives up on a payment.'

function requestOf(change: Partial<DecideRequest> = {}, request = REQUEST): DecideRequest {
  const judged = documents(TEXTS)
  const recent = documents(
    ['We enjoyed the garden.', 'The invoice service, yes.', request],
    'new__',
  )
  return {
    site: 'relevance',
    questions: questionsAbout(judged),
    state: { fields: { current_request: request }, recent, documents: judged },
    signal: new AbortController().signal,
    ...change,
  }
}

/** Finds texts of billing and of invoices alike, and nothing else. */
function meaning(texts: readonly SpokenText[]): Float32Array[] {
  return texts.map(({ text }) =>
    /billing|invoice/.test(text) ? Float32Array.of(1, 0) : Float32Array.of(0, 1),
  )
}

function decider(embedTexts: EmbedTexts = async (texts) => meaning(texts)) {
  return createMinilmDecider({ digests, embedTexts, timeoutMs: TIMEOUT_MS })
}

describe('createMinilmDecider', () => {
  it('says what it is', () => {
    expect(decider().traits).toEqual({
      wire: 'minilm',
      model: 'precis-minilm-2',
      order: 'least-needed-first',
      riskBudget: 0.05,
      maxQuestions: Number.POSITIVE_INFINITY,
      sites: EMBEDDED_SITES,
    })
  })

  it('holds a message that means what the request asks for more needed than all others', async () => {
    const { answers, failure } = await decider().decide(requestOf())
    expect(failure).toBeUndefined()
    expect([...answers.keys()]).toEqual(TEXTS.map((_, index) => `q:msg__${index}`))
    const needed = [...answers.values()].map((answer) =>
      answer.kind === 'boolean' ? answer.probability : Number.NaN,
    )
    const [first, second] = [...needed].sort((a, b) => b - a) as [number, number]
    expect(needed[12]).toBe(first)
    expect(first).toBeGreaterThan(1.5 * second)
    expect(needed.every((one) => one > 0 && one < 1)).toBe(true)
  })

  it('embeds what is judged, what is recent and the request, and the request once', async () => {
    const asked: string[] = []
    await decider(async (texts) => {
      asked.push(...texts.map(({ text }) => text))
      return meaning(texts)
    }).decide(requestOf())
    expect(asked).toEqual([
      ...TEXTS,
      'We enjoyed the garden.',
      'The invoice service, yes.',
      REQUEST,
    ])
  })

  it.each([
    ['names nothing', 'do it again'],
    ['names nothing that was said before', 'zymurgy'],
    ['is of a script that the encoder has not learnt', '关于发票服务你刚才说了什么 invoice'],
    ['is empty', ''],
  ])('answers nothing, and embeds nothing, where the request %s', async (_, request) => {
    let asked = 0
    const result = await decider(async (texts) => {
      asked += 1
      return meaning(texts)
    }).decide(requestOf({}, request))
    expect(result.answers.size).toBe(0)
    expect(result).not.toHaveProperty('failure')
    expect(asked).toBe(0)
  })

  it('leaves the session of an agent to the static model', async () => {
    let asked = 0
    const request = requestOf()
    const called = { id: 'call', role: 'tool', text: 'read(billing.ts)\nexport const retries = 7' }
    const state = {
      ...request.state,
      documents: [...request.state.documents, called] as typeof request.state.documents,
    }
    const result = await decider(async (texts) => {
      asked += 1
      return meaning(texts)
    }).decide({ ...request, state })
    expect(result.answers.size).toBe(0)
    expect(asked).toBe(0)
  })

  it('answers relevance only', async () => {
    const { answers } = await decider().decide(requestOf({ site: 'summary-gate' }))
    expect(answers.size).toBe(0)
  })

  it('gives the encoder the time of the call or its own, whichever is less', async () => {
    const given: number[] = []
    const hurried = createMinilmDecider({
      digests,
      timeoutMs: TIMEOUT_MS,
      now: () => 5_000,
      embedTexts: async (texts, { giveUpAt }) => {
        given.push(giveUpAt)
        return meaning(texts)
      },
    })
    await hurried.decide(requestOf())
    await hurried.decide(requestOf({ deadlineAt: 5_400 }))
    await hurried.decide(requestOf({ deadlineAt: 9_000 }))
    expect(given).toEqual([6_000, 5_400, 6_000])
  })

  it('tells its own time from the time of the call when it has no vectors', async () => {
    const slow = decider(async () => undefined)
    const far = { deadlineAt: performance.now() + 60_000 }
    expect(await slow.decide(requestOf(far))).toMatchObject({ failure: 'timeout' })
    const near = { deadlineAt: performance.now() + 10 }
    expect(await slow.decide(requestOf(near))).toMatchObject({ failure: 'deadline' })
    expect((await slow.decide(requestOf(near))).answers.size).toBe(0)
  })

  it('says that the caller went away, or that the time was up, by the signal', async () => {
    const gone = requestOf({ signal: AbortSignal.abort() })
    expect(await decider().decide(gone)).toMatchObject({ failure: 'aborted' })
    const late = requestOf({ signal: AbortSignal.abort(new DOMException('late', 'TimeoutError')) })
    expect(await decider().decide(late)).toMatchObject({ failure: 'deadline' })
  })

  it('fails as a value where the encoder has ended', async () => {
    const broken = decider(() => Promise.reject(new Error('no encoder')))
    const result = await broken.decide(requestOf())
    expect(result).toMatchObject({ failure: 'error', wire: 'minilm', requests: 0 })
    expect(result.answers.size).toBe(0)
  })
})
