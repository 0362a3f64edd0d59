import { Type } from 'typebox'

const enabled = Type.Optional(Type.Boolean({ description: 'Whether the stage may run.' }))
const count = (description: string) =>
  Type.Optional(Type.Integer({ description, minimum: 0, maximum: 1_000_000 }))
const tokens = (description: string) =>
  Type.Optional(Type.Integer({ description, minimum: 0, maximum: 1_000_000_000 }))
const ratio = (description: string) =>
  Type.Optional(Type.Number({ description, minimum: 0, maximum: 1 }))

const strict = { additionalProperties: false } as const

/** Every option of the engine, as a request and (by `config/option-variables.ts`) the environment set it. */
export const OptionsSchema = Type.Object(
  {
    protectRecent: count('Newest messages that no stage removes.'),
    relevance: Type.Optional(
      Type.Object(
        {
          enabled,
          minDropConfidence: ratio(
            'Confidence |2p - 1| that a "no" needs before a message may go; 0.6 means P(needed) of at most 0.2.',
          ),
          maxDropRatio: ratio('Share of the judged messages that may go in one pass.'),
          maxQuestions: count('Most questions of one pass to a remote model.'),
          order: Type.Optional(
            Type.Enum(['oldest-first', 'least-needed-first'], {
              description: "Which candidates go when a cap binds. Unset: the decide model's own.",
            }),
          ),
          riskBudget: Type.Optional(
            Type.Union([Type.Number({ minimum: 0, maximum: 1_000_000 }), Type.Null()], {
              description:
                "Expected number of needed messages that may be lost; null: no such bound. Unset: the decide model's own.",
            }),
          ),
          stopAtTarget: Type.Optional(
            Type.Boolean({ description: 'Drop no more than the target needs.' }),
          ),
          votes: Type.Optional(
            Type.Integer({
              description:
                'Times that a remote decide model is asked in all about messages that it puts near the bar; the mean decides. The embedded model does not vary.',
              minimum: 1,
              maximum: 5,
            }),
          ),
          toolExchanges: Type.Optional(
            Type.Enum(['keep', 'clear', 'drop'], {
              description:
                'What happens to a completed tool exchange that is not needed; `keep` never asks about one.',
            }),
          ),
          pairs: Type.Optional(
            Type.Boolean({
              description:
                'Keep a question and its direct plain answer together, by the higher P(needed) of the two. Unset: for a decide model with a risk budget of its own, such as the embedded one.',
            }),
          ),
        },
        strict,
      ),
    ),
    prune: Type.Optional(
      Type.Object(
        {
          enabled,
          protectTokens: tokens('Tokens of newest tool output that stay whole.'),
          keepResults: count('Number of newest tool results that stay whole, besides.'),
          minimumSavings: tokens('Nothing is cleared unless at least so many tokens could be.'),
          protectedTools: Type.Optional(
            Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
              description: 'Tools whose results are never cleared.',
              maxItems: 1_000,
            }),
          ),
          media: Type.Optional(
            Type.Boolean({
              description:
                'Give the place of old images, documents and audio, and of those in tool results, to a note of one line.',
            }),
          ),
        },
        strict,
      ),
    ),
    deduplicate: Type.Optional(Type.Object({ enabled }, strict)),
    collapse: Type.Optional(
      Type.Object({ enabled, keepRecent: count('Newest messages that stay.') }, strict),
    ),
    summarize: Type.Optional(
      Type.Object(
        {
          enabled,
          keepRecentRatio: ratio('Share of the target that stays verbatim at the end.'),
          minRejectConfidence: ratio(
            'Confidence with which the gate must reject before a summary is refused.',
          ),
        },
        strict,
      ),
    ),
    truncate: Type.Optional(
      Type.Object(
        {
          enabled,
          drop: Type.Optional(
            Type.Boolean({
              description:
                'Whether whole messages may go. false: large outputs are shortened, and only if that meets the target.',
            }),
          ),
        },
        strict,
      ),
    ),
  },
  { ...strict, description: 'Options of the engine; what is not set comes from the profile.' },
)
