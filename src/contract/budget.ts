import { type Static, Type } from 'typebox'
import { CONTEXT_SCOPES } from '../engine/budget.ts'
import {
  ArithmeticMembers,
  budgetMembers,
  conversationLists,
  conversationMembers,
  TokenizerSchema,
  WarningSchema,
} from './conversation.ts'

export const BudgetBodySchema = Type.Object(
  {
    ...conversationMembers,
    ...conversationLists,
    currentRequest: Type.Optional(
      Type.String({
        description:
          "The request's text: takes room in the budget, and with a decide model that answers it, is placed on the scope rubric. Unset: the last user message.",
      }),
    ),
    ...budgetMembers,
  },
  { additionalProperties: false },
)

const nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

export type BudgetBody = Static<typeof BudgetBodySchema>

export const BudgetResponseSchema = Type.Object(
  {
    ...ArithmeticMembers,
    format: nullable(Type.String()),
    tokenizer: TokenizerSchema,
    scope: nullable(
      Type.Object(
        {
          scope: nullable(Type.Enum(CONTEXT_SCOPES.map(({ scope }) => scope))),
          confidence: nullable(Type.Number()),
          threshold: nullable(Type.Number()),
          used: Type.Boolean({ description: 'Whether the budget rests on it.' }),
          model: Type.String(),
          wire: Type.String(),
          latencyMs: Type.Number(),
          failOpen: Type.Optional(Type.String()),
        },
        { additionalProperties: true },
      ),
    ),
    scopes: Type.Array(
      Type.Object(
        { scope: Type.String(), threshold: Type.Number() },
        { additionalProperties: true },
      ),
    ),
    warnings: Type.Array(WarningSchema),
  },
  { additionalProperties: true },
)
