import { type Static, Type } from 'typebox'

const messages = Type.Array(Type.Unknown(), {
  description: 'Messages of a role and a text; raw ones are as the provider takes them.',
})

/** agentgateway's prompt guard webhook: messages in `body`, or raw ones at the top. */
export const AgentgatewayBodySchema = Type.Object(
  {
    body: Type.Optional(Type.Object({ messages }, { additionalProperties: true })),
    messages: Type.Optional(messages),
    model: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  },
  { additionalProperties: true },
)

export type AgentgatewayBody = Static<typeof AgentgatewayBodySchema>

export const AgentgatewayResponseSchema = Type.Object(
  {
    action: Type.Optional(
      Type.Object(
        {
          body: Type.Optional(Type.Object({ messages: Type.Array(Type.Unknown()) })),
          reason: Type.String(),
        },
        { description: 'With a body: the messages to send instead. Without: pass.' },
      ),
    ),
    messages: Type.Optional(
      Type.Array(Type.Unknown(), {
        description: 'The messages to send instead, where raw ones came. Without: pass.',
      }),
    ),
  },
  { additionalProperties: true },
)

export const AgentgatewayErrorSchema = Type.Object({ error: Type.String() })
