import { describe, expect } from 'vitest'
import { asRecord } from '../helpers/wire-rules/json.ts'
import { type CompactionCase, compactionCase, relevanceOf } from './support/compaction-case.ts'
import { SERVED_FORMATS } from './support/formats.ts'
import { layoutOf } from './support/layout.ts'
import { type Run, runCase } from './support/run-case.ts'
import { property } from './support/run-property.ts'
import { type DecideSketch, scriptedSketch } from './support/scripted-decide.ts'

/** Relevance alone, so that whatever goes is its doing. */
const judgedCase = (format: CompactionCase['format']) =>
  compactionCase(format).chain((sketch) =>
    scriptedSketch.map((decide) => ({
      ...sketch,
      decide,
      currentRequest: 'Fix the retry budget of the parser.',
      options: {
        ...sketch.options,
        protectRecent: Math.min(sketch.options.protectRecent ?? 3, 3),
        relevance: { ...sketch.options.relevance, enabled: true },
        prune: { enabled: false },
        deduplicate: { enabled: false },
        collapse: { enabled: false },
        summarize: { enabled: false },
        truncate: { enabled: false },
      },
    })),
  )

/** The question that a message was judged by: its own, or that of the exchange that it belongs to. */
function questionOf(index: number, asked: ReadonlySet<string>, posted: readonly unknown[]): string {
  for (let first = index; first >= 0; first = stepBack(first, posted)) {
    if (asked.has(`msg__${first}`)) return `msg__${first}`
  }
  throw new Error(`message ${index} was not asked about`)
}

/** From an item that is a result to its call, which other exchanges may stand before; else by one. */
function stepBack(index: number, posted: readonly unknown[]): number {
  const { type, id, call_id: callId = id, approval_request_id: request } = asRecord(posted[index])
  const name = request ?? callId
  if (!/_output$|_response$/.test(String(type)) || name === undefined) return index - 1
  return posted.slice(0, index).findLastIndex((item) => {
    const asking = asRecord(item)
    return asking.call_id === name || asking.id === name
  })
}

/** Question id -> scripted answer, for all units of which something went. */
function goneUnits({ report, judgements, posted }: Run): Map<string, unknown> {
  const answers = judgements.find(({ site }) => site === 'relevance')?.answers ?? new Map()
  const asked = new Set(answers.keys())
  return new Map(
    report.actions.map(({ index }) => {
      const question = questionOf(index, asked, posted)
      return [question, answers.get(question)]
    }),
  )
}

const riskBudgetOf = (riskBudget: number | null | undefined, decide: DecideSketch) => {
  if (riskBudget !== undefined) return riskBudget ?? Number.POSITIVE_INFINITY
  return (decide.kind === 'scripted' ? decide.riskBudget : null) ?? Number.POSITIVE_INFINITY
}

describe.each(SERVED_FORMATS)('P6: only a confident no drops a message, in %s', (format) => {
  property(
    'whatever went was answered by a number below 0.5, as confident as the bar asks',
    judgedCase(format),
    async (sketch, meet) => {
      const run = await runCase(sketch)
      const { minDropConfidence } = relevanceOf(sketch)
      for (const [, answer] of goneUnits(run)) {
        meet('a drop')
        const probability = typeof answer === 'number' ? answer : Number.NaN
        expect(probability).toBeGreaterThanOrEqual(0)
        expect(probability).toBeLessThan(0.5)
        expect(Math.abs(2 * probability - 1)).toBeGreaterThanOrEqual(minDropConfidence)
      }
      for (const { reason, probability = Number.NaN, confidence = Number.NaN } of run.report
        .actions) {
        meet(reason)
        expect(['not-needed', 'evidence-dropped', 'claim-kept']).toContain(reason)
        expect(probability).toBeGreaterThanOrEqual(0)
        expect(probability).toBeLessThan(0.5)
        expect(confidence).toBeGreaterThanOrEqual(minDropConfidence)
        expect(confidence).toBeCloseTo(Math.abs(2 * probability - 1), 12)
      }
    },
    { meets: { 'a drop': 0.1 } },
  )

  property(
    'in any run, what is said to be not needed has a probability below 0.5 and the confidence for it',
    compactionCase(format),
    async (sketch, meet) => {
      const { minDropConfidence } = relevanceOf(sketch)
      const { report } = await runCase(sketch)
      for (const { reason, probability = 7, confidence = 0 } of report.actions) {
        if (reason !== 'not-needed') continue
        meet('a message not needed')
        expect(probability).toBeGreaterThanOrEqual(0)
        expect(probability).toBeLessThan(0.5)
        expect(confidence).toBeGreaterThanOrEqual(minDropConfidence)
      }
      for (const probability of report.probabilities) {
        expect(probability >= 0 && probability <= 1).toBe(true)
      }
    },
    { meets: { 'a message not needed': 0.02 } },
  )

  property(
    'no more goes than the share that may, and no more than the risk that may be taken',
    judgedCase(format),
    async (sketch, meet) => {
      const run = await runCase(sketch)
      const { maxDropRatio, riskBudget } = relevanceOf(sketch)
      const judged = run.judgements.find(({ site }) => site === 'relevance')
      const gone = [...goneUnits(run).values()].map(Number)
      const { relevance } = run.report
      if (judged === undefined) return expect(gone).toEqual([])
      expect(relevance?.asked).toBe(judged.documents)
      expect(gone.length).toBeLessThanOrEqual(Math.floor(judged.documents * maxDropRatio))
      const risk = gone.reduce((sum, probability) => sum + probability, 0)
      expect(risk).toBeLessThanOrEqual(riskBudgetOf(riskBudget, sketch.decide) + 1e-9)
      if (relevance?.capHit === true) meet('a cap that binds')
      if (gone.length > 0) meet('a drop')
    },
    { meets: { 'a cap that binds': 0.1, 'a drop': 0.1 } },
  )

  property(
    'a model that answers nothing, nonsense or not at all drops nothing',
    judgedCase(format).map((sketch): CompactionCase => {
      const decide = sketch.decide as Extract<DecideSketch, { kind: 'scripted' }>
      const [first = 'missing', ...rest] = decide.script.answers.filter(
        (answer) => typeof answer !== 'number' || !(answer >= 0 && answer <= 1),
      )
      return {
        ...sketch,
        decide: { ...decide, script: { ...decide.script, answers: [first, ...rest] } },
      }
    }),
    async (sketch, meet) => {
      const { report, result, input, posted, judgements } = await runCase(sketch)
      if (judgements.length > 0) meet('a question')
      expect(report.actions).toEqual([])
      expect(layoutOf(posted.length, report)).toHaveLength(result.messages.length)
      expect(result.conversation).toBe(input[result.list])
      expect(report.probabilities).toEqual([])
    },
    { meets: { 'a question': 0.3 } },
  )
})
