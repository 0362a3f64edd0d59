import { type Static, Type } from 'typebox'

/**
 * The body of Headroom's `POST /v1/compress`, as its server and its SDK know it. Open: callers send
 * members of later versions, and nothing that is not known here is a reason to fail their request.
 */
export const HeadroomBodySchema = Type.Object(
  {
    messages: Type.Array(Type.Unknown(), {
      description: 'The conversation in the format of OpenAI or of Anthropic, oldest first.',
    }),
    model: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description:
          'Model that the conversation is for. Headroom requires it; here the default counter and window stand in.',
      }),
    ),
    token_budget: Type.Optional(
      Type.Union([Type.Number({ minimum: 1, maximum: 1_000_000_000 }), Type.Null()], {
        description:
          "Most tokens of the returned messages. Unset: `config.target_ratio`, else the model's own budget.",
      }),
    ),
    session_id: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description:
          'Says that the conversation comes again on every turn, so that a `token_budget` too is met in steps. Nothing is kept under it: the messages themselves tell which conversation it is, on every instance.',
      }),
    ),
    config: Type.Optional(
      Type.Union([
        Type.Object(
          {
            compress_user_messages: Type.Optional(
              Type.Union([Type.Boolean(), Type.Null()], {
                description:
                  'false: no message of the user is changed or left out. Unset or true: old ones may go whole; none is ever shortened.',
              }),
            ),
            target_ratio: Type.Optional(
              Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: 1 }), Type.Null()], {
                description: 'Share of the tokens to keep, where no `token_budget` is given.',
              }),
            ),
            protect_recent: Type.Optional(
              Type.Union([Type.Integer({ minimum: 0, maximum: 1_000_000 }), Type.Null()], {
                description: 'Newest messages that are not removed.',
              }),
            ),
            protect_analysis_context: Type.Optional(
              Type.Union([Type.Boolean(), Type.Null()], {
                description: 'Accepted: reasoning is never rewritten.',
              }),
            ),
            frozen_message_count: Type.Optional(
              Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
                description:
                  'So many of the first messages come back byte for byte, whatever the budget.',
              }),
            ),
            session_id: Type.Optional(
              Type.Union([Type.String(), Type.Null()], { description: 'As the one outside.' }),
            ),
            mode: Type.Optional(
              Type.Union([Type.Enum(['ccr', 'lossy_inline', 'lossless_then_lossy']), Type.Null()], {
                description: 'Accepted; the answer never holds a retrieval marker.',
              }),
            ),
          },
          { additionalProperties: true },
        ),
        Type.Null(),
      ]),
    ),
  },
  { additionalProperties: true },
)

export type HeadroomBody = Static<typeof HeadroomBodySchema>

const count = Type.Integer({ minimum: 0 })

export const HeadroomResponseSchema = Type.Object(
  {
    messages: Type.Array(Type.Unknown(), {
      description: 'The conversation to send. What was not edited has the bytes that it came with.',
    }),
    tokens_before: count,
    tokens_after: count,
    tokens_saved: count,
    compression_ratio: Type.Number({
      description: 'Tokens after by tokens before; 1 without any.',
    }),
    transforms_applied: Type.Array(Type.String(), {
      description: '`stage:what:how-many`, for each stage that changed something.',
    }),
    transforms_summary: Type.Record(Type.String(), count),
    ccr_hashes: Type.Array(Type.String(), { description: 'Always empty: nothing is stored.' }),
    compression_skipped: Type.Optional(
      Type.Boolean({ description: 'true where the messages could not be worked on.' }),
    ),
    skip_reason: Type.Optional(Type.String()),
  },
  { additionalProperties: true },
)

export const HeadroomErrorSchema = Type.Object({
  error: Type.Object({
    type: Type.String({
      description:
        '`invalid_request`, `unauthorized`, `payload_too_large`, `compression_timeout`, `compression_error`, `overloaded` or `shutting_down`.',
    }),
    message: Type.String(),
  }),
})
