import { type Static, Type } from 'typebox'

const nullable = <Schema extends Type.TSchema>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

const tokens = (description: string) =>
  Type.Optional(Type.Integer({ description, minimum: 1, maximum: 1_000_000_000 }))

/** LiteLLM's `GenericGuardrailAPIRequest`. Fields that say who calls are not read. */
export const LitellmGuardrailBodySchema = Type.Object(
  {
    input_type: Type.Optional(
      Type.String({
        description: '`request`; anything else passes, as answers are not compacted.',
      }),
    ),
    texts: nullable(Type.Array(Type.String())),
    structured_messages: nullable(Type.Array(Type.Unknown())),
    model: nullable(Type.String()),
    tools: nullable(Type.Array(Type.Unknown())),
    additional_provider_specific_params: nullable(
      Type.Object(
        {
          target_tokens: tokens('Most tokens of the conversation with its tools.'),
          context_window: tokens("The model's context window."),
          max_output_tokens: tokens('Tokens of the window that are reserved for the answer.'),
        },
        { additionalProperties: true },
      ),
    ),
  },
  { additionalProperties: true },
)

export type LitellmGuardrailBody = Static<typeof LitellmGuardrailBodySchema>

export const LitellmGuardrailResponseSchema = Type.Object(
  {
    action: Type.Enum(['NONE', 'GUARDRAIL_INTERVENED']),
    texts: Type.Optional(
      Type.Array(Type.String(), {
        description: 'As many as came, in the same order. Only where one of them changed.',
      }),
    ),
  },
  { additionalProperties: true },
)

export const LitellmGuardrailErrorSchema = Type.Object({ detail: Type.String() })
