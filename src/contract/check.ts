import { type Static, Type } from 'typebox'
import { conversationLists, conversationMembers, WarningSchema } from './conversation.ts'

/** Open, unlike the other envelopes: a request that a provider refused is posted here as it is. */
export const CheckBodySchema = Type.Object(
  { ...conversationMembers, ...conversationLists },
  {
    additionalProperties: true,
    description:
      'A conversation, or the whole request that a provider refused: members that are not listed are ignored.',
  },
)

export type CheckBody = Static<typeof CheckBodySchema>

export const ViolationSchema = Type.Object(
  {
    rule: Type.String({ description: 'Name of the rule, as in docs/formats.md.' }),
    pointer: Type.String({ description: 'JSON Pointer to what breaks it.' }),
    detail: Type.String(),
    source: Type.Optional(
      Type.String({ description: 'Where the provider states or enforces the rule.' }),
    ),
  },
  { additionalProperties: true },
)

export const violationMembers = {
  violations: Type.Array(ViolationSchema, { description: 'The first 100.' }),
  violationCount: Type.Integer({ minimum: 0 }),
}

export const CheckResponseSchema = Type.Object(
  {
    format: Type.String(),
    valid: Type.Boolean({ description: 'Whether the conversation breaks no rule of its format.' }),
    ...violationMembers,
    warnings: Type.Array(WarningSchema),
  },
  { additionalProperties: true },
)
