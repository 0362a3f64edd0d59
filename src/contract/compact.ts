import { type Static, Type } from 'typebox'
import { STAGE_NAMES } from '../engine/options.ts'
import { violationMembers } from './check.ts'
import {
  ArithmeticMembers,
  budgetMembers,
  conversationLists,
  conversationMembers,
  GateSchema,
  profile,
  SourcedSchema,
  TokenizerSchema,
  WarningSchema,
} from './conversation.ts'
import { OptionsSchema } from './options.ts'
import { RecordingSchema } from './recording.ts'

export const CompactBodySchema = Type.Object(
  {
    ...conversationMembers,
    ...conversationLists,
    currentRequest: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description:
          'What the next answer is about. Unset: the last user message. null: not known, so nothing is judged by relevance.',
      }),
    ),
    targetTokens: Type.Optional(
      Type.Number({
        description:
          'Most tokens of the returned conversation with its system and tools. Unset: from the budget fields.',
        minimum: 1,
        maximum: 1_000_000_000,
      }),
    ),
    maxBytes: Type.Optional(
      Type.Integer({
        description:
          'Most bytes of the returned conversation as JSON, beside the tokens: media can be many bytes and few tokens. Unset: no limit.',
        minimum: 1,
        maximum: 1_000_000_000,
      }),
    ),
    lowWater: Type.Optional(
      Type.Number({
        description:
          'For a history that is posted whole on every turn: compact it in steps, each down to this share of what lies between the floor and the target, so that what is sent stays the same from turn to turn in between. Unset: one run for this turn alone.',
        minimum: 0,
        maximum: 1,
      }),
    ),
    ...budgetMembers,
    pins: Type.Optional(
      Type.Array(Type.Union([Type.Integer({ minimum: 0 }), Type.String({ maxLength: 1_000 })]), {
        description: 'Messages that no stage may touch, by number or id.',
        maxItems: 100_000,
      }),
    ),
    profile,
    options: Type.Optional(OptionsSchema),
    dryRun: Type.Optional(
      Type.Boolean({
        description: 'Report what would be done; return the conversation as it came.',
      }),
    ),
    explain: Type.Optional(
      Type.Enum(['none', 'changed', 'all'], {
        description: 'Which messages `actions` lists. Unset: those that changed.',
      }),
    ),
    record: Type.Optional(
      Type.Boolean({
        description: 'Answer with `recording`: what the models of this run have said.',
      }),
    ),
    replay: Type.Optional(RecordingSchema),
  },
  { additionalProperties: false },
)

export type CompactBody = Static<typeof CompactBodySchema>

const count = Type.Integer({ minimum: 0 })

const StageReportSchema = Type.Object(
  {
    stage: Type.Enum(STAGE_NAMES),
    status: Type.Enum([
      'applied',
      'no-change',
      'not-needed',
      'disabled',
      'skipped',
      'rejected',
      'failed',
    ]),
    reason: Type.Optional(Type.String()),
    tokensBefore: count,
    tokensAfter: count,
    dropped: count,
    rewritten: count,
    durationMs: Type.Optional(Type.Number()),
  },
  { additionalProperties: true },
)

const ActionSchema = Type.Object(
  {
    index: Type.Integer({
      description:
        'Number of the message in the posted conversation; of an insertion, that of the message it stands before.',
      minimum: 0,
    }),
    id: Type.Optional(Type.String()),
    stage: Type.Optional(Type.Enum(STAGE_NAMES)),
    action: Type.Enum(['dropped', 'rewritten', 'inserted', 'kept']),
    reason: Type.String(),
    probability: Type.Optional(Type.Number({ description: 'P(needed), where it was judged.' })),
    confidence: Type.Optional(Type.Number({ description: '|2p - 1| of that probability.' })),
    tokensBefore: count,
    tokensAfter: count,
  },
  { additionalProperties: true },
)

const RelevanceSchema = Type.Object(
  {
    asked: count,
    answered: count,
    flagged: count,
    dropped: count,
    notAsked: count,
    capHit: Type.Boolean(),
    order: Type.Enum(['oldest-first', 'least-needed-first']),
    expectedNeededLost: Type.Number(),
    model: Type.String(),
    wire: Type.String(),
    latencyMs: Type.Number(),
    requests: count,
    voted: Type.Optional(
      Type.Integer({
        description: 'Messages whose probability is the mean of several votes.',
        minimum: 0,
      }),
    ),
    links: Type.Optional(
      Type.Array(
        Type.Object(
          {
            wire: Type.String(),
            result: Type.String({
              description:
                '`answered`, `unanswered`, `abstained` (it has no opinion), or why this model could not be had.',
            }),
            answered: count,
          },
          { additionalProperties: true },
        ),
        { description: 'Models of a fallback chain that were asked, in that order.' },
      ),
    ),
    abstained: Type.Optional(
      Type.Literal(true, {
        description:
          'The model has no opinion: the request names nothing that the conversation knows.',
      }),
    ),
    failOpen: Type.Optional(Type.String()),
  },
  { additionalProperties: true },
)

const SummarySchema = Type.Object(
  {
    accepted: Type.Boolean(),
    reason: Type.Optional(Type.String()),
    covers: count,
    rounds: count,
    tokens: count,
    model: Type.String(),
    latencyMs: Type.Number(),
    gate: Type.Optional(GateSchema),
  },
  { additionalProperties: true },
)

export const CompactResponseSchema = Type.Object(
  {
    outcome: Type.Enum(['unchanged', 'compacted', 'partial']),
    compacted: Type.Boolean(),
    fits: Type.Boolean({ description: 'Whether tokensAfter is within the target.' }),
    format: Type.String(),
    tokenizer: TokenizerSchema,
    stagesUsed: Type.Array(Type.Enum(STAGE_NAMES)),
    tokensBefore: count,
    tokensAfter: count,
    tokensSaved: count,
    bytes: Type.Union(
      [
        Type.Object(
          { max: count, before: count, after: count, floor: count },
          {
            additionalProperties: true,
            description:
              'Bytes of the conversation as JSON; `after` is an upper bound, `floor` what nothing may remove.',
          },
        ),
        Type.Null(),
      ],
      { description: 'null where maxBytes was not set.' },
    ),
    budget: Type.Object(
      {
        targetTokens: SourcedSchema,
        requestedTokens: Type.Union([Type.Number(), Type.Null()]),
        safetyFactor: Type.Union([Type.Number(), Type.Null()]),
        floor: Type.Object(
          {
            tokens: count,
            instructions: count,
            tools: count,
            framing: count,
            pins: Type.Record(Type.String(), count),
            protectedTail: count,
            marker: count,
          },
          {
            additionalProperties: true,
            description: 'Tokens that nothing may remove. A target below it cannot be met.',
          },
        ),
        arithmetic: Type.Union([
          Type.Object(ArithmeticMembers, { additionalProperties: true }),
          Type.Null(),
        ]),
      },
      { additionalProperties: true },
    ),
    steps: Type.Union(
      [
        Type.Object(
          {
            taken: count,
            recalled: count,
            cached: Type.Union([
              Type.Object(
                { messages: count, kept: Type.Boolean() },
                { additionalProperties: true },
              ),
              Type.Null(),
            ]),
          },
          {
            additionalProperties: true,
            description:
              'Compactions that the history went through; those of them that were remembered; and whether the messages that are marked to be cached came back as they were.',
          },
        ),
        Type.Null(),
      ],
      { description: 'null where lowWater was not set.' },
    ),
    stages: Type.Array(StageReportSchema),
    relevance: Type.Union([RelevanceSchema, Type.Null()]),
    summary: Type.Union([SummarySchema, Type.Null()]),
    actions: Type.Array(ActionSchema),
    ...violationMembers,
    warnings: Type.Array(WarningSchema),
    recording: Type.Optional(RecordingSchema),
    messages: Type.Optional(
      Type.Array(Type.Unknown(), {
        description:
          'The conversation to send, under the name it was posted under: messages, input or contents. Untouched messages are as they came.',
      }),
    ),
    input: Type.Optional(Type.Union([Type.Array(Type.Unknown()), Type.String()])),
    contents: Type.Optional(Type.Array(Type.Unknown())),
  },
  { additionalProperties: true },
)
