import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { RecordingSchema } from '../../src/contract/recording.ts'
import { compactRecorded, type RecordedResult } from '../../src/conversation/compact-recorded.ts'
import type { CompactRequest } from '../../src/conversation/request.ts'
import type { Recording } from '../../src/decide/replay/recording.ts'
import type { RelevanceOptions } from '../../src/engine/options.ts'
import type { DecidePort, SummarizePort } from '../../src/engine/ports.ts'
import { type CompactionCase, compactionCase } from './support/compaction-case.ts'
import { SERVED_FORMATS } from './support/formats.ts'
import { createServices, runCase, unhurried } from './support/run-case.ts'
import { property } from './support/run-property.ts'
import { createDecide, scriptedSketch } from './support/scripted-decide.ts'
import { createSummarize } from './support/scripted-summarize.ts'

const isRecording = new Ajv().compile(RecordingSchema)

/** As it goes over the wire. */
const throughJson = (recording: Recording | undefined): Recording =>
  JSON.parse(JSON.stringify(recording))

/** All of an answer, the times that models took and the plan among it. */
function answerOf({ recording: _recording, replayed: _replayed, ...answer }: RecordedResult) {
  return JSON.stringify(answer, (_name, value) =>
    value instanceof Set || value instanceof Map ? [...value] : value,
  )
}

async function record(
  sketch: CompactionCase,
  over: Partial<CompactRequest> = {},
): Promise<{ readonly request: CompactRequest; readonly result: RecordedResult }> {
  const { request } = await runCase(sketch)
  const recorded = { ...request, explain: 'all', ...over } as const
  const services = createServices({
    decide: createDecide(sketch.decide).port,
    summarize: createSummarize(sketch.summarize),
  })
  const result = await compactRecorded({ ...recorded, record: true }, services, unhurried())
  return { request: recorded, result }
}

/** Models that must not be asked. */
const asksNobody = (): { readonly decide: DecidePort; readonly summarize: SummarizePort } => {
  const refuse = async () => {
    throw new Error('a replay has asked a model')
  }
  const sites = new Set(['relevance', 'summary-gate', 'context-scope'] as const)
  const traits = { wire: 'live', model: 'live', order: 'oldest-first', riskBudget: 9 } as const
  return {
    decide: { traits: { ...traits, maxQuestions: 9, sites }, decide: refuse },
    summarize: { model: 'live', maxInputTokens: 200_000, summarize: refuse },
  }
}

const replay = (request: CompactRequest, recording: Recording) =>
  compactRecorded(
    { ...request, replay: recording, record: true },
    createServices(asksNobody()),
    unhurried(),
  )

const thresholds: fc.Arbitrary<Partial<RelevanceOptions>> = fc.record(
  {
    minDropConfidence: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
    maxDropRatio: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
    order: fc.constantFrom('oldest-first', 'least-needed-first'),
    riskBudget: fc.constantFrom(null, 0, 0.05, 0.5, 3),
    stopAtTarget: fc.boolean(),
    pairs: fc.boolean(),
  },
  { requiredKeys: [] },
)

describe.each(SERVED_FORMATS)('recorded answers, in %s', (format) => {
  property(
    'give the run that they were recorded in, to the byte, and ask nobody',
    compactionCase(format),
    async (sketch, meet) => {
      const { request, result } = await record(sketch)
      const recording = throughJson(result.recording)
      expect(isRecording(recording), JSON.stringify(isRecording.errors)).toBe(true)
      const again = await replay(request, recording)
      expect(answerOf(again)).toBe(answerOf(result))
      expect(throughJson(again.recording)).toEqual(recording)
      const answers = recording.decide?.calls.flatMap((call) => call.answers) ?? []
      if (answers.length > 0 && result.report.outcome !== 'unchanged') meet('answers')
      if (result.report.summary?.accepted === true) meet('a summary')
    },
    { meets: { answers: 0.15, 'a summary': 0.02 } },
  )

  property(
    'give the same of a history that is compacted in steps',
    compactionCase(format),
    async (sketch) => {
      const { request, result } = await record(sketch, { lowWater: 0.5 })
      const again = await replay(request, throughJson(result.recording))
      expect(answerOf(again)).toBe(answerOf(result))
    },
    { runs: 0.3 },
  )

  property(
    'are not changed by being recorded',
    compactionCase(format).map((sketch) => ({ ...sketch, decide: noClock(sketch.decide) })),
    async (sketch) => {
      const plain = await runCase(sketch, { explain: 'all' })
      const { result } = await record(sketch)
      expect(answerOf(result)).toBe(answerOf(plain.result))
    },
    { runs: 0.3 },
  )

  property(
    'decide under other thresholds what the model would have decided',
    fc.record({ sketch: compactionCase(format), decide: scriptedSketch, thresholds }),
    async ({ sketch: drawn, decide, thresholds: moved }, meet) => {
      const sketch: CompactionCase = {
        ...drawn,
        decide,
        summarize: { ...drawn.summarize, manner: 'none' },
      }
      const { request, result } = await record(sketch)
      const options = {
        ...request.options,
        relevance: { ...request.options?.relevance, ...moved },
      }
      const replayed = await replay({ ...request, options }, throughJson(result.recording))
      const { result: asked } = await record(sketch, { options })
      expect(answerOf(replayed)).toBe(answerOf(asked))
      if (answerOf(replayed) !== answerOf(result)) meet('another outcome')
    },
    { meets: { 'another outcome': 0.1 } },
  )

  property(
    'keep a message by their absence, and by being about something else',
    fc.record({
      sketch: compactionCase(format),
      decide: scriptedSketch,
      lost: fc.nat({ max: 2 }),
      how: fc.constantFrom('missing' as const, 'about something else' as const),
    }),
    async ({ sketch, decide, lost, how }, meet) => {
      const { request, result } = await record({ ...sketch, decide })
      const kept = new Set<number>()
      const recording = withCalls(throughJson(result.recording), (answers) =>
        answers.flatMap((answer) => {
          const index = Number(answer.id.replace('msg__', ''))
          if (index % 3 !== lost) return [answer]
          kept.add(index)
          return how === 'missing' ? [] : [{ ...answer, about: 'A'.repeat(16) }]
        }),
      )
      const again = await replay(request, recording)
      const judged = again.report.actions.filter(({ stage }) => stage === 'relevance')
      // What is dropped with a unit has no answer of its own, but the unit has one.
      const gone = judged.filter(
        ({ index, probability }) => kept.has(index) && probability === undefined,
      )
      expect(gone.filter(({ reason }) => reason === 'not-needed')).toEqual([])
      if (kept.size > 0) meet('an answer that is lost')
    },
    { meets: { 'an answer that is lost': 0.1 } },
  )
})

/** The embedded model tells how long it took. */
function noClock(decide: CompactionCase['decide']): CompactionCase['decide'] {
  return decide.kind === 'embedded' ? { kind: 'none' } : decide
}

type Answers = NonNullable<Recording['decide']>['calls'][number]['answers']

/** Changed calls have keys of their own, as those of other questions would. */
function withCalls(recording: Recording, change: (answers: Answers) => Answers): Recording {
  const { decide } = recording
  if (decide === null) return recording
  const calls = decide.calls.map((call) => ({
    ...call,
    key: 'A'.repeat(43),
    answers: change(call.answers),
  }))
  return { ...recording, decide: { ...decide, calls } }
}
