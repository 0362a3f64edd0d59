import { Type } from 'typebox'
import type { DecideFailure, DecisionSite } from '../engine/ports.ts'

const strict = { additionalProperties: false } as const

const SITES = [
  'relevance',
  'summary-gate',
  'context-scope',
] as const satisfies readonly DecisionSite[]
const ORDERS = ['oldest-first', 'least-needed-first'] as const

const DECIDE_FAILURES = [
  'authentication',
  'invalid-request',
  'max-tokens-exceeded',
  'rate-limit',
  'overloaded',
  'server',
  'timeout',
  'network',
  'malformed-answer',
  'breaker-open',
  'busy',
  'deadline',
  'aborted',
  'error',
] as const satisfies readonly DecideFailure[]

const SUMMARIZE_FAILURES = [
  ...DECIDE_FAILURES.filter((failure) => failure !== 'malformed-answer'),
  'malformed-response',
] as const

const name = Type.String({ maxLength: 1_000 })
const share = Type.Number({ minimum: 0, maximum: 1 })
const count = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })
const milliseconds = Type.Number({ minimum: 0, maximum: 1_000_000_000 })
const key = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', description: 'What was asked.' })

const trust = {
  order: Type.Enum(ORDERS),
  riskBudget: Type.Union([Type.Number({ minimum: 0, maximum: 1_000_000 }), Type.Null()]),
}

const AnswerSchema = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 64 }),
    about: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{16}$',
        description: 'Of the message and the request: the answer is about nothing else.',
      }),
    ),
    probability: Type.Optional(share),
    score: Type.Optional(Type.Number({ minimum: -1_000_000, maximum: 1_000_000 })),
    choice: Type.Optional(name),
    confidence: Type.Optional(share),
  },
  strict,
)

const CallSchema = Type.Object(
  {
    site: Type.Enum(SITES),
    key,
    answers: Type.Array(AnswerSchema, { maxItems: 1_000_000 }),
    wire: name,
    model: name,
    latencyMs: milliseconds,
    requests: count,
    notAsked: count,
    voted: Type.Optional(count),
    abstained: Type.Optional(Type.Literal(true)),
    links: Type.Optional(
      Type.Array(
        Type.Object(
          {
            wire: name,
            result: Type.Enum(['answered', 'unanswered', 'abstained', ...DECIDE_FAILURES]),
            answered: count,
          },
          strict,
        ),
        { maxItems: 16 },
      ),
    ),
    failure: Type.Optional(Type.Enum(DECIDE_FAILURES)),
    traits: Type.Optional(Type.Object(trust, strict)),
  },
  strict,
)

const SummaryCallSchema = Type.Object(
  {
    key,
    latencyMs: milliseconds,
    failure: Type.Optional(Type.Enum(SUMMARIZE_FAILURES)),
    text: Type.Optional(Type.String({ maxLength: 10_000_000 })),
    model: Type.Optional(name),
    toolCalls: Type.Optional(Type.Boolean()),
    refused: Type.Optional(Type.Boolean()),
    truncated: Type.Optional(Type.Boolean()),
  },
  strict,
)

/** `decide/replay/recording.ts` as a schema; a test holds the two together. */
export const RecordingSchema = Type.Object(
  {
    decide: Type.Union([
      Type.Object(
        {
          model: Type.Object(
            {
              wire: name,
              model: name,
              ...trust,
              maxQuestions: Type.Union([count, Type.Null()]),
              sites: Type.Array(Type.Enum(SITES), { maxItems: SITES.length, uniqueItems: true }),
            },
            strict,
          ),
          calls: Type.Array(CallSchema, { maxItems: 10_000 }),
        },
        strict,
      ),
      Type.Null(),
    ]),
    summarize: Type.Union([
      Type.Object(
        {
          model: name,
          maxInputTokens: count,
          calls: Type.Array(SummaryCallSchema, { maxItems: 10_000 }),
        },
        strict,
      ),
      Type.Null(),
    ]),
  },
  {
    ...strict,
    description:
      'What the models of a run said, each answer bound to what it was about. Handed back as `replay`, it decides the same conversation again without asking.',
  },
)
