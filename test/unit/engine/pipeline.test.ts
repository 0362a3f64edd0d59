import { describe, expect, it } from 'vitest'
import { STAGE_NAMES } from '../../../src/engine/options.ts'
import { runPipeline } from '../../../src/engine/pipeline.ts'
import type { Ports } from '../../../src/engine/ports.ts'
import type { StageReport } from '../../../src/engine/report.ts'
import { fakeDecide, fakePorts, fakeSummarizer } from '../../helpers/fake-ports.ts'
import {
  assistant,
  buildTranscript,
  countByLength,
  type EntrySpec,
  exchange,
  ofTokens,
  user,
} from '../../helpers/transcript-builder.ts'
import { type StageSpec, stageInput } from './stage-input.ts'

/** 1,008 tokens and a few: a task, an old output, eight messages, the request. */
const SESSION = [
  user('task'),
  ...exchange('c1', ofTokens(200, 'out')),
  ...Array.from({ length: 8 }, (_, index) => assistant(ofTokens(96, `m${index}`))),
  user('now'),
]

async function run(
  specs: readonly EntrySpec[],
  spec: Partial<StageSpec> & { readonly excess: number },
  ports: Partial<Ports> = {},
) {
  const { excess, ...over } = spec
  const transcript = buildTranscript(specs)
  const { total } = stageInput(transcript, { target: 1 }).state
  const input = stageInput(transcript, { target: total - excess, currentRequest: 'now', ...over })
  const result = await runPipeline(input, fakePorts(ports))
  return { ...result, state: input.state, target: input.target, before: total }
}

const statuses = (stages: readonly StageReport[]) =>
  Object.fromEntries(
    stages.map(({ stage, status, reason }) => [
      stage,
      reason === undefined ? status : `${status}: ${reason}`,
    ]),
  )

describe('runPipeline', () => {
  it('reports every stage once, in the order of the design', async () => {
    const { stages } = await run(SESSION, { excess: 600 })
    expect(stages.map(({ stage }) => stage)).toEqual([...STAGE_NAMES])
    expect(STAGE_NAMES).toEqual([
      'relevance',
      'prune',
      'deduplicate',
      'collapse',
      'summarize',
      'truncate',
    ])
  })

  it('does nothing and asks nobody where the conversation is exactly at its target', async () => {
    const decide = fakeDecide({ relevance: { msg__3: 0 } })
    const { stages, state, before } = await run(SESSION, { excess: 0 }, { decide })
    expect(new Set(Object.values(statuses(stages)))).toEqual(new Set(['not-needed', 'disabled']))
    expect(decide.requests).toHaveLength(0)
    expect(state.total).toBe(before)
  })

  it('runs for a single token over the target', async () => {
    const { stages, state, target } = await run(SESSION, { excess: 1 })
    expect(statuses(stages).truncate).toBe('applied')
    expect(state.total).toBeLessThanOrEqual(target)
  })

  it('stops at the stage that meets the target', async () => {
    const decide = fakeDecide({ relevance: { msg__3: 0, msg__4: 0, msg__5: 0 } })
    const { stages } = await run(
      SESSION,
      { excess: 300 },
      { decide, summarize: fakeSummarizer(['gist']) },
    )
    expect(statuses(stages)).toEqual({
      relevance: 'applied',
      prune: 'not-needed',
      deduplicate: 'not-needed',
      collapse: 'disabled',
      summarize: 'not-needed',
      truncate: 'not-needed',
    })
  })

  it('hands on to the next stage what one left over', async () => {
    const decide = fakeDecide({ relevance: { msg__3: 0, msg__4: 0, msg__5: 0 } })
    const options = { prune: { protectTokens: 0, minimumSavings: 0 } }
    const { stages } = await run(SESSION, { excess: 301, options }, { decide })
    const [relevance, prune] = stages
    expect(relevance).toMatchObject({ status: 'applied', dropped: 3, rewritten: 0 })
    expect(prune).toMatchObject({ status: 'applied', dropped: 0, rewritten: 1 })
    expect(prune?.tokensBefore).toBe(relevance?.tokensAfter)
  })

  it('says of each stage why it did not do its work', async () => {
    const options = { deduplicate: { enabled: false } }
    const { stages } = await run(SESSION, { excess: 50, options })
    expect(statuses(stages)).toEqual({
      relevance: 'skipped: no-decide-model',
      prune: 'no-change',
      deduplicate: 'disabled',
      collapse: 'disabled',
      summarize: 'skipped: no-summarizer',
      truncate: 'applied',
    })
  })

  it('keeps the tokens of a stage that changed nothing as they were', async () => {
    const { stages, before } = await run(SESSION, { excess: 50 })
    expect(stages[1]).toEqual({
      stage: 'prune',
      status: 'no-change',
      tokensBefore: before,
      tokensAfter: before,
      dropped: 0,
      rewritten: 0,
    })
  })

  it('rejects a collapse that does not fit by itself, so that the summary can do better', async () => {
    const options = { collapse: { enabled: true, keepRecent: 6 } }
    const { stages } = await run(SESSION, { excess: 800, options })
    expect(statuses(stages).collapse).toBe('rejected: does-not-fit')
    const fitting = await run(SESSION, { excess: 400, options })
    expect(statuses(fitting.stages)).toMatchObject({ collapse: 'applied', summarize: 'not-needed' })
    expect(fitting.state.insertions).toMatchObject([{ kind: 'marker', stage: 'collapse' }])
  })

  it('rejects what is not smaller, and leaves no trace of it', async () => {
    const tiny = [user('task'), assistant('a'), assistant('b'), assistant('c'), user('now')]
    const options = { collapse: { enabled: true, keepRecent: 1 } }
    const { stages, state, why, before } = await run(tiny, { excess: 1, options })
    expect(statuses(stages)).toMatchObject({ collapse: 'rejected: not-smaller' })
    expect(state.total).toBe(before)
    expect(state.plan()).toEqual({ dropped: new Set(), replaced: new Map(), insertions: [] })
    expect(why.size).toBe(0)
  })

  it('says no-change where no edit of a stage turns out smaller', async () => {
    let counts = 0
    const countTokens = (text: string): number => {
      if (!text.startsWith('[Tool result cleared')) return countByLength(text)
      counts += 1
      return counts === 1 ? 5 : 5_000
    }
    const options = { prune: { protectTokens: 0, minimumSavings: 0 } }
    const { stages } = await run(SESSION, { excess: 1, options }, { countTokens })
    expect(statuses(stages).prune).toBe('no-change')
    expect(counts).toBe(2)
  })

  it('collects judgements and reports of the stages that had any', async () => {
    const decide = fakeDecide({ relevance: { msg__3: 0, msg__4: 0.7 } })
    const { needed, probabilities, relevance, summary, why } = await run(
      SESSION,
      { excess: 700 },
      { decide, summarize: fakeSummarizer(['gist']) },
    )
    expect(needed).toEqual(
      new Map([
        [3, 0],
        [4, 0.7],
      ]),
    )
    expect(probabilities).toEqual([0, 0.7])
    expect(relevance).toMatchObject({ dropped: 1 })
    expect(summary).toMatchObject({ accepted: true })
    expect(why.get(3)).toMatchObject({ stage: 'relevance', reason: 'not-needed', probability: 0 })
    expect(why.get(4)).toEqual({ stage: 'summarize', reason: 'summarized' })
  })

  it('has no reports of stages that did not run', async () => {
    const result = await run(SESSION, { excess: 10 })
    expect(result).not.toHaveProperty('relevance')
    expect(result).not.toHaveProperty('summary')
  })
})
