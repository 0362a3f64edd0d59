import fc from 'fast-check'
import { createEmbeddedDecider } from '../../../src/decide/embedded/embedded-decider.ts'
import type {
  Answer,
  DecidePort,
  DecideRequest,
  DecideResult,
  DecisionSite,
  Question,
} from '../../../src/engine/ports.ts'
import {
  answerTo,
  type DeciderScript,
  type ScriptedAnswer,
  scriptedDecider,
} from '../../helpers/arbitraries/index.ts'

/** A decide model as data: none, the one that ships with the service, or one that reads from a script. */
export type DecideSketch =
  | { readonly kind: 'none' }
  | { readonly kind: 'embedded' }
  | ({ readonly kind: 'scripted' } & ScriptedModel)

interface ScriptedModel {
  readonly script: DeciderScript
  /** What a failed call looks like: a result that says so, none at all, or one whose answers are no map. */
  readonly failsWith: 'failure' | 'nothing' | 'no-map'
  /** Every other answer of a call is lost, and the result says that part of it failed. */
  readonly isPartial: boolean
  readonly order: 'oldest-first' | 'least-needed-first'
  readonly riskBudget: number | null
  /** null for no bound. */
  readonly maxQuestions: number | null
  readonly judgesSummaries: boolean
}

/**
 * The script with answers that are even in value between them: `fc.double` is even in its bits, so
 * that nearly all of what it gives is next to 0, and no sum of it ever binds.
 */
const script: fc.Arbitrary<DeciderScript> = fc
  .record({
    drawn: scriptedDecider,
    even: fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 60 }),
  })
  .map(({ drawn: { failure, answers }, even }) => {
    const [first, ...rest] = answers
    return { failure, answers: [first, ...even.map((thousandths) => thousandths / 1_000), ...rest] }
  })

const scriptedModel: fc.Arbitrary<DecideSketch> = fc.record({
  kind: fc.constant('scripted' as const),
  script,
  failsWith: fc.constantFrom('failure', 'nothing', 'no-map'),
  isPartial: fc.nat({ max: 5 }).map((roll) => roll === 5),
  order: fc.constantFrom('oldest-first', 'least-needed-first'),
  riskBudget: fc.constantFrom(null, null, 0, 0.05, 0.5),
  maxQuestions: fc.constantFrom(300, 300, null, 20, 3),
  judgesSummaries: fc.boolean(),
})

export const decideSketch: fc.Arbitrary<DecideSketch> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<DecideSketch>({ kind: 'none' }) },
  { weight: 2, arbitrary: fc.constant<DecideSketch>({ kind: 'embedded' }) },
  { weight: 7, arbitrary: scriptedModel },
)

/** The model answers, in a script, and every question is one that it takes. */
export const scriptedSketch: fc.Arbitrary<DecideSketch> = scriptedModel

/** One call of the decide model, with what it said of each document. */
export interface Judgement {
  readonly site: DecisionSite
  readonly documents: number
  /** Question id -> what was answered, honest or not. Empty where the whole call failed. */
  readonly answers: ReadonlyMap<string, ScriptedAnswer>
}

export interface ScriptedDecide {
  readonly port: DecidePort | undefined
  /** What a scripted model was asked and said; the embedded one keeps its own counsel. */
  readonly judgements: Judgement[]
}

export function createDecide(sketch: DecideSketch): ScriptedDecide {
  const judgements: Judgement[] = []
  if (sketch.kind === 'none') return { port: undefined, judgements }
  if (sketch.kind === 'embedded') return { port: createEmbeddedDecider(), judgements }
  const port: DecidePort = {
    traits: {
      wire: 'scripted',
      model: 'scripted-1',
      order: sketch.order,
      riskBudget: sketch.riskBudget ?? undefined,
      maxQuestions: sketch.maxQuestions ?? Number.POSITIVE_INFINITY,
      sites: new Set(sketch.judgesSummaries ? ['relevance', 'summary-gate'] : ['relevance']),
    },
    decide: async (request) => {
      const { answers, result } = respond(sketch, request)
      judgements.push({ site: request.site, documents: request.state.documents.length, answers })
      return result()
    },
  }
  return { port, judgements }
}

interface Response {
  readonly answers: ReadonlyMap<string, ScriptedAnswer>
  readonly result: () => DecideResult
}

function respond(sketch: ScriptedModel, request: DecideRequest): Response {
  const { failure } = sketch.script
  const meta = { wire: 'scripted', model: 'scripted-1', latencyMs: 3, requests: 1, notAsked: 0 }
  if (failure === 'throw') {
    return {
      answers: new Map(),
      result: () => {
        throw new Error('the decide model broke')
      },
    }
  }
  if (failure === 'null') {
    return { answers: new Map(), result: () => failed(sketch.failsWith, meta) }
  }
  const texts = new Map(
    request.state.documents.map(({ id, role, text }) => [id, `${role}:${text}`]),
  )
  const scripted = request.questions.map((question): [string, ScriptedAnswer] => {
    // By the text, so that a message gets the same answer wherever it stands.
    const about = question.kind === 'boolean' ? texts.get(question.about ?? '') : undefined
    return [question.id, answerTo(sketch.script, about ?? question.id)]
  })
  const given = sketch.isPartial ? scripted.filter((_, index) => index % 2 === 0) : scripted
  return {
    answers: new Map(given),
    result: () => ({
      ...meta,
      answers: new Map(given.flatMap(([id, answer]) => wrap(id, answer))),
      ...(sketch.isPartial && { failure: 'rate-limit' as const }),
    }),
  }
}

/** The latter two break the port's contract; the engine has to survive them all the same. */
function failed(
  how: ScriptedModel['failsWith'],
  meta: Omit<DecideResult, 'answers' | 'failure'>,
): DecideResult {
  switch (how) {
    case 'failure':
      return { ...meta, answers: new Map(), failure: 'timeout' }
    case 'nothing':
      return null as unknown as DecideResult
    case 'no-map':
      return { ...meta, answers: {} } as unknown as DecideResult
  }
}

function wrap(id: Question['id'], answer: ScriptedAnswer): [string, Answer][] {
  if (answer === 'missing') return []
  if (answer === 'wrong-kind') return [[id, { kind: 'choice', choice: 'no', confidence: 1 }]]
  return [[id, { kind: 'boolean', probability: answer }]]
}
