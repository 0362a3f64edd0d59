import { describe, expect, it } from 'vitest'
import { PrecisError } from '../../../src/engine/errors.ts'
import type { OptionOverrides } from '../../../src/engine/options.ts'
import { runPipeline } from '../../../src/engine/pipeline.ts'
import type { DecideTraits, Ports } from '../../../src/engine/ports.ts'
import { fakeDecide, fakePorts, fakeSummarizer, toAnswers } from '../../helpers/fake-ports.ts'
import {
  assistant,
  buildTranscript,
  countByLength,
  exchange,
  ofTokens,
  user,
} from '../../helpers/transcript-builder.ts'
import { stageInput } from './stage-input.ts'

const SESSION = [
  user('task'),
  ...exchange('c1', ofTokens(200, 'out')),
  ...Array.from({ length: 4 }, (_, index) => [
    user(ofTokens(46, `q${index}`)),
    assistant(ofTokens(146, `a${index}`)),
  ]).flat(),
  user('now'),
]

async function run(ports: Partial<Ports>, options: OptionOverrides = {}) {
  const input = stageInput(buildTranscript(SESSION), {
    target: 500,
    currentRequest: 'now',
    options,
  })
  const result = await runPipeline(input, fakePorts(ports))
  return { ...result, plan: input.state.plan(), total: input.state.total }
}

/** A counter that breaks where deduplicate measures its placeholders. */
const breaksInDeduplicate = (text: string): number => {
  if (text.startsWith('[Superseded')) throw new TypeError('bug')
  return countByLength(text)
}

describe('runPipeline when something fails', () => {
  it('takes a stage that throws for a failed one, and runs the next', async () => {
    const { stages, total } = await run({ countTokens: breaksInDeduplicate })
    expect(stages[2]).toMatchObject({
      stage: 'deduplicate',
      status: 'failed',
      reason: 'error',
      dropped: 0,
    })
    expect(stages[5]).toMatchObject({ stage: 'truncate', status: 'applied' })
    expect(total).toBeLessThanOrEqual(500)
  })

  const failures = {
    throws: () => Promise.reject(new Error('bug')),
    'is overloaded': () => ({ failure: 'overloaded' as const }),
    'answers nothing': () => ({}),
    'answers nonsense': () => ({ answers: toAnswers({ msg__3: Number.NaN, msg__4: 7, x: 0 }) }),
  }

  it.each(Object.entries(failures))(
    'goes on as if there were no decide model where it %s',
    async (_, script) => {
      const without = await run({})
      for (const order of [
        'oldest-first',
        'least-needed-first',
      ] satisfies DecideTraits['order'][]) {
        const { plan, why } = await run({ decide: fakeDecide({ relevance: script }, { order }) })
        expect(plan).toEqual(without.plan)
        expect(why).toEqual(without.why)
      }
    },
  )

  it('names the failure of the decide model', async () => {
    const { stages, relevance } = await run({
      decide: fakeDecide({ relevance: () => ({ failure: 'rate-limit' }) }),
    })
    expect(stages[0]).toMatchObject({ status: 'failed', reason: 'rate-limit' })
    expect(relevance?.failOpen).toBe('rate-limit')
  })

  it('applies what was answered before the rest failed, and says so', async () => {
    const { stages, plan } = await run({
      decide: fakeDecide({
        relevance: () => ({ answers: toAnswers({ msg__4: 0 }), failure: 'timeout' }),
      }),
    })
    expect(stages[0]).toMatchObject({ status: 'applied', reason: 'timeout', dropped: 1 })
    expect(plan.dropped.has(4)).toBe(true)
  })

  it.each([
    ['its summariser', 'server', { ok: false, failure: 'server', latencyMs: 1 } as const],
    ['a refused summary', 'refusal', 'I cannot help with that.'],
  ])('truncates after %s failed', async (_, reason, script) => {
    const { stages, summary, total } = await run({ summarize: fakeSummarizer([script]) })
    expect(stages[4]).toMatchObject({ stage: 'summarize', status: 'failed', reason })
    expect(summary).toMatchObject({ accepted: false, reason })
    expect(stages[5]?.status).toBe('applied')
    expect(total).toBeLessThanOrEqual(500)
  })

  it('fails open on the models’ deadline, and asks nobody after it', async () => {
    const decide = fakeDecide({ relevance: { msg__4: 0 }, 'summary-gate': {} })
    const summarize = fakeSummarizer(['gist'])
    const { stages, total } = await run({ decide, summarize, modelSignal: AbortSignal.abort() })
    expect(stages[0]).toMatchObject({ status: 'failed', reason: 'deadline' })
    expect(stages[4]).toMatchObject({ status: 'failed', reason: 'deadline' })
    expect([...decide.requests, ...summarize.requests]).toEqual([])
    expect(total).toBeLessThanOrEqual(500)
  })

  it('warns of nothing that a failed stage would have warned of', async () => {
    const { warnings } = await run({ summarize: fakeSummarizer(['']) })
    expect(warnings).toEqual([])
  })
})

describe('runPipeline when the caller goes away', () => {
  const gone = expect.objectContaining({ code: 'client-closed-request' })

  it('stops before the first stage', async () => {
    const decide = fakeDecide({ relevance: {} })
    await expect(run({ decide, signal: AbortSignal.abort() })).rejects.toThrow(PrecisError)
    await expect(run({ decide, signal: AbortSignal.abort() })).rejects.toEqual(gone)
    expect(decide.requests).toHaveLength(0)
  })

  it('stops after the stage during which it happened', async () => {
    const controller = new AbortController()
    const decide = fakeDecide({
      relevance: () => {
        controller.abort()
        return { answers: toAnswers({ msg__4: 0 }) }
      },
    })
    await expect(run({ decide, signal: controller.signal })).rejects.toEqual(gone)
  })

  it('does not take a stage that throws for it for a failed one', async () => {
    const controller = new AbortController()
    const countTokens = (text: string): number => {
      if (text.startsWith('[Superseded')) controller.abort()
      return breaksInDeduplicate(text)
    }
    // No later stage is there to notice.
    const options = { summarize: { enabled: false }, truncate: { enabled: false } }
    await expect(run({ countTokens, signal: controller.signal }, options)).rejects.toEqual(gone)
  })
})

describe('the observer', () => {
  it('sees each stage that ran begin and end, also one that failed', async () => {
    const seen: string[] = []
    await run({
      countTokens: breaksInDeduplicate,
      observer: {
        stageStarted: (stage) => seen.push(`+${stage}`),
        stageFinished: (stage) => seen.push(`-${stage}`),
      },
    })
    const ran = ['relevance', 'prune', 'deduplicate', 'summarize', 'truncate']
    expect(seen).toEqual(ran.flatMap((stage) => [`+${stage}`, `-${stage}`]))
  })

  it('sees none that was not needed', async () => {
    const seen: string[] = []
    const input = stageInput(buildTranscript(SESSION), { target: 100_000 })
    const observer = { stageStarted: (stage: string) => seen.push(stage), stageFinished: () => {} }
    await runPipeline(input, fakePorts({ observer }))
    expect(seen).toEqual([])
  })
})
