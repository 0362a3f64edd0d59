import { type Static, Type } from 'typebox'
import {
  conversationLists,
  conversationMembers,
  GateSchema,
  WarningSchema,
} from './conversation.ts'

export const SummaryCheckBodySchema = Type.Object(
  {
    ...conversationMembers,
    ...conversationLists,
    summary: Type.String({ description: 'The summary that would replace the messages.' }),
    minRejectConfidence: Type.Optional(
      Type.Number({
        description: 'Confidence |2p - 1| with which the gate must reject. Unset: 0.6.',
        minimum: 0,
        maximum: 1,
      }),
    ),
  },
  { additionalProperties: false },
)

export type SummaryCheckBody = Static<typeof SummaryCheckBodySchema>

export const SummaryCheckResponseSchema = Type.Object(
  {
    accepted: Type.Boolean(),
    reason: Type.Union([Type.String(), Type.Null()]),
    preserves: GateSchema.properties.preserves,
    isRefusal: GateSchema.properties.isRefusal,
    failOpen: Type.Union([Type.String(), Type.Null()], {
      description: 'Why no model judged, and the summary was accepted.',
    }),
    checks: Type.Object(
      {
        fault: Type.Union([Type.String(), Type.Null()]),
        summaryTokens: Type.Integer({ minimum: 0 }),
        replacedTokens: Type.Integer({ minimum: 0 }),
      },
      { additionalProperties: true },
    ),
    warnings: Type.Array(WarningSchema),
  },
  { additionalProperties: true },
)
