import fc from 'fast-check'
import { type CallSketch, callSketch } from './calls.ts'
import { unknownMembers } from './extras.ts'
import { spokenText, type TextSketch } from './texts.ts'
import { type ConversationSize, DEFAULT_MAX_MESSAGES, type JsonObject } from './types.ts'

/** How one message is dressed. Each format takes from it what it has. */
export interface Style {
  readonly shape: 'string' | 'parts' | 'many-parts' | 'image' | 'unknown-part' | 'special'
  readonly thinking: 'none' | 'thinking' | 'redacted' | 'both'
  readonly named: boolean
  readonly cached: boolean
  readonly extra: JsonObject
  readonly partExtra: JsonObject
  readonly extraFirst: boolean
}

export interface SaySketch {
  readonly text: TextSketch
  readonly style: Style
}

/** One step of an agent: calls made together, and their results. */
export interface RoundSketch {
  readonly lead: TextSketch | null
  readonly calls: readonly CallSketch[]
  /** Results come back in another order than the calls. */
  readonly reversed: boolean
  /** Variants that only one format has: legacy function call, call-by-call order, remark after results. */
  readonly variant: boolean
  readonly ids: 'all' | 'some' | 'none'
  readonly style: Style
}

export interface TurnSketch {
  readonly aside: SaySketch | null
  readonly requests: readonly SaySketch[]
  readonly rounds: readonly RoundSketch[]
  readonly answer: SaySketch
}

export type Tail = 'answer' | 'request' | 'results' | 'pending' | 'partly-answered'

/** A conversation without a format: a handful of turns, repeated with fresh texts up to `size`. */
export interface Scenario {
  readonly size: number
  readonly opening: {
    readonly system: 'none' | 'text' | 'parts' | 'two'
    readonly summary: boolean
    readonly skill: boolean
    readonly marker: boolean
    readonly says: readonly [SaySketch, SaySketch, SaySketch]
  }
  readonly turns: readonly TurnSketch[]
  /** Repeats of a turn say the same words again. */
  readonly verbatim: boolean
  /** Call ids start anew in each round. */
  readonly reusesIds: boolean
  readonly tail: Tail
  readonly declaresTools: boolean
  readonly envelope: JsonObject
}

const rarely = (weight: number) =>
  fc.oneof(
    { weight: 10 - weight, arbitrary: fc.constant(false) },
    { weight, arbitrary: fc.constant(true) },
  )

const style: fc.Arbitrary<Style> = fc.record({
  shape: fc.constantFrom<Style['shape'][]>(
    'string',
    'string',
    'string',
    'parts',
    'many-parts',
    'image',
    'unknown-part',
    'special',
  ),
  thinking: fc.constantFrom<Style['thinking'][]>('none', 'none', 'thinking', 'redacted', 'both'),
  named: rarely(2),
  cached: rarely(2),
  extra: unknownMembers,
  partExtra: unknownMembers,
  extraFirst: fc.boolean(),
})

const say: fc.Arbitrary<SaySketch> = fc.record({ text: spokenText, style })

const calls = fc.oneof(
  { weight: 5, arbitrary: fc.array(callSketch, { minLength: 1, maxLength: 1 }) },
  { weight: 4, arbitrary: fc.array(callSketch, { minLength: 2, maxLength: 5 }) },
)

const round: fc.Arbitrary<RoundSketch> = fc.record({
  lead: fc.option(spokenText),
  calls,
  reversed: fc.boolean(),
  variant: rarely(2),
  ids: fc.constantFrom<RoundSketch['ids'][]>('all', 'all', 'some', 'none'),
  style,
})

const rounds = fc.oneof(
  { weight: 4, arbitrary: fc.constant<RoundSketch[]>([]) },
  { weight: 4, arbitrary: fc.array(round, { minLength: 1, maxLength: 1 }) },
  { weight: 3, arbitrary: fc.array(round, { minLength: 2, maxLength: 4 }) },
)

const turn: fc.Arbitrary<TurnSketch> = fc.record({
  aside: fc.oneof({ weight: 24, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: say }),
  requests: fc.oneof(
    { weight: 6, arbitrary: fc.tuple(say) },
    { weight: 1, arbitrary: fc.tuple(say, say) },
  ),
  rounds,
  answer: say,
})

export function scenario(size: ConversationSize = {}): fc.Arbitrary<Scenario> {
  const { minMessages = 1, maxMessages = DEFAULT_MAX_MESSAGES } = size
  return fc.record({
    size: fc.integer({ min: minMessages, max: maxMessages }),
    opening: fc.record({
      system: fc.constantFrom<Scenario['opening']['system'][]>('none', 'text', 'parts', 'two'),
      summary: rarely(3),
      skill: rarely(2),
      marker: rarely(2),
      says: fc.tuple(say, say, say),
    }),
    turns: fc.array(turn, { minLength: 1, maxLength: 8 }),
    verbatim: rarely(2),
    reusesIds: rarely(3),
    tail: fc.constantFrom<Tail[]>(
      'answer',
      'answer',
      'request',
      'request',
      'request',
      'results',
      'results',
      'pending',
      'pending',
      'partly-answered',
      'partly-answered',
    ),
    declaresTools: fc.boolean(),
    envelope: unknownMembers,
  })
}
