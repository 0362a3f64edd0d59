import { type Static, Type } from 'typebox'

/** The request of Kong's AI Prompt Compressor to its compress service (`/llm/v1/compressPrompt`). */
export const KongCompressBodySchema = Type.Object(
  {
    text: Type.Union([
      Type.String(),
      Type.Array(
        Type.Object(
          {
            msg_id: Type.Optional(Type.Union([Type.Integer(), Type.String()])),
            text: Type.String(),
          },
          { additionalProperties: true },
        ),
        { maxItems: 100_000 },
      ),
    ]),
    model_name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    compress_type: Type.Optional(
      Type.Enum(['rate', 'target_token'], {
        description:
          'What the values of the ranges are: shares of the tokens to keep, or tokens. Unset: `rate`.',
      }),
    ),
    compress_ranges: Type.Optional(
      Type.Array(
        Type.Object(
          {
            min_tokens: Type.Number({ minimum: 0 }),
            max_tokens: Type.Number({ minimum: 0 }),
            value: Type.Number({ exclusiveMinimum: 0 }),
          },
          { additionalProperties: true },
        ),
        {
          description:
            'The first range that holds the tokens of a text decides; none leaves it whole.',
          maxItems: 1_000,
        },
      ),
    ),
    advanced_logging: Type.Optional(
      Type.Union([Type.Boolean(), Type.Null()], {
        description: 'Accepted; texts are never logged.',
      }),
    ),
  },
  { additionalProperties: true },
)

export type KongCompressBody = Static<typeof KongCompressBodySchema>

export const JsonRpcBodySchema = Type.Unknown({
  description: 'A request, or a batch of requests.',
})

const msgId = Type.Union([Type.Integer(), Type.String()])
const count = Type.Integer({ minimum: 0 })

export const KongCompressResponseSchema = Type.Object(
  {
    text: Type.Array(
      Type.Object({
        msg_id: msgId,
        compress_prompt: Type.String(),
        compressor_results: Type.Object({
          msg_id: msgId,
          original_token_count: count,
          compress_token_count: count,
          save_token_count: count,
          compress_value: Type.Union([Type.Number(), Type.Null()]),
          compress_type: Type.String(),
          compressor_model: Type.String(),
          information: Type.String(),
        }),
      }),
    ),
    duration: Type.Number({ description: 'Seconds.' }),
  },
  { additionalProperties: true },
)

export const KongErrorSchema = Type.Object({ error: Type.Object({ message: Type.String() }) })

export const JsonRpcErrorSchema = Type.Object({
  jsonrpc: Type.Enum(['2.0']),
  id: Type.Null(),
  error: Type.Object({ code: Type.Integer(), message: Type.String() }),
})
