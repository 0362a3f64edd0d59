import { type Static, Type } from 'typebox'

/** What Portkey's webhook plugin posts (`plugins/default/webhook.ts`): its hook context and the event. */
export const PortkeyBodySchema = Type.Object(
  {
    request: Type.Object(
      {
        json: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
          description: "The whole body of the client's request.",
        }),
      },
      { additionalProperties: true },
    ),
    requestType: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description:
          '`chatComplete`, `messages` and `createModelResponse` hold a conversation; any other passes.',
      }),
    ),
    eventType: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'Anything but `beforeRequestHook` passes.',
      }),
    ),
  },
  { additionalProperties: true },
)

export type PortkeyBody = Static<typeof PortkeyBodySchema>

export const PortkeyResponseSchema = Type.Object(
  {
    verdict: Type.Boolean({ description: 'Always true: a compactor has nothing to forbid.' }),
    data: Type.Object(
      { outcome: Type.String(), reason: Type.Optional(Type.String()) },
      { additionalProperties: true },
    ),
    transformedData: Type.Optional(
      Type.Object(
        {
          request: Type.Object({
            json: Type.Object({}, { additionalProperties: true }),
          }),
        },
        { description: 'Only where something changed: the whole body to send on.' },
      ),
    ),
  },
  { additionalProperties: true },
)
