import { Type } from 'typebox'

/** Variables of the transparent proxy. Spread into the one schema. */
export const UPSTREAM_VARIABLES = {
  PRECIS_UPSTREAM_OPENAI_URL: Type.Optional(
    Type.String({
      description:
        'Base URL to which the proxy sends `/v1/chat/completions`, `/v1/responses` and the rest of that API, as OpenAI clients take it (`https://api.openai.com/v1`); without a path, `/v1` is added. Unset: those routes do not exist.',
    }),
  ),
  PRECIS_UPSTREAM_ANTHROPIC_URL: Type.Optional(
    Type.String({
      description:
        'Base URL to which the proxy sends `/v1/messages` and the rest of that API, as Anthropic clients take it (`https://api.anthropic.com`). Unset: those routes do not exist.',
    }),
  ),
  PRECIS_UPSTREAM_GEMINI_URL: Type.Optional(
    Type.String({
      description:
        'Base URL to which the proxy sends `/v1beta/...` and Gemini calls below `/v1/models`, as Google clients take it (`https://generativelanguage.googleapis.com`), and those of Vertex AI below `/v1/projects` and `/v1beta1`. Unset: those routes do not exist.',
    }),
  ),
  PRECIS_UPSTREAM_HEADERS_TIMEOUT_MS: Type.Integer({
    description:
      'Longest wait of the proxy for the head of an answer; past it the caller gets 504. Models that reason send nothing for minutes.',
    default: 600_000,
    minimum: 100,
    maximum: 86_400_000,
  }),
  PRECIS_UPSTREAM_IDLE_TIMEOUT_MS: Type.Integer({
    description:
      'Longest pause between two pieces of an answer; past it the proxy breaks off the connection to the caller.',
    default: 300_000,
    minimum: 100,
    maximum: 86_400_000,
  }),
  PRECIS_PROXY_COMPACTION_DEADLINE_MS: Type.Integer({
    description:
      'Time that the proxy may spend on compacting one request; past it the request is sent as it came.',
    default: 5_000,
    minimum: 10,
    maximum: 600_000,
  }),
}
