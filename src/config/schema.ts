import { type Static, Type } from 'typebox'
import { GATEWAY_CONTRACTS } from '../contract/gateways/names.ts'
import { DEFAULT_LOW_WATER } from '../conversation/steps/settings.ts'
import { PROFILE_NAMES } from '../engine/options.ts'
import { DECIDE_VARIABLES } from './decide-variables.ts'
import { UPSTREAM_VARIABLES } from './upstream-variables.ts'

export const SUMMARIZER_DIALECTS = ['none', 'openai', 'anthropic'] as const
export type SummarizerDialect = (typeof SUMMARIZER_DIALECTS)[number]

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const MEBIBYTE = 1024 * 1024

/**
 * Every variable of the service except the options of the engine, which `option-variables.ts` derives
 * from the options' own schema. Descriptions go verbatim into docs/operations.md and .env.example.
 */
export const ConfigSchema = Type.Object(
  {
    PRECIS_HOST: Type.String({
      description: 'Address to listen on. Use 0.0.0.0 in a container.',
      default: '127.0.0.1',
      minLength: 1,
    }),
    PRECIS_PORT: Type.Integer({
      description: 'Port to listen on; 0 takes a free one.',
      default: 8080,
      minimum: 0,
      maximum: 65_535,
    }),
    PRECIS_LOG_LEVEL: Type.Enum(LOG_LEVELS, {
      description: 'Least severe level that is logged.',
      default: 'info',
    }),
    PRECIS_API_KEYS: Type.Optional(
      Type.String({
        description:
          'Comma separated keys, each of at least 8 characters, one of which a caller must send as `Authorization: Bearer <key>`. Unset: no key is asked for.',
      }),
    ),
    PRECIS_API_KEYS_FILE: Type.Optional(
      Type.String({
        description:
          'File with further keys, one a line; read again when it changes, so that keys can be rotated without a restart.',
        minLength: 1,
      }),
    ),
    PRECIS_RATE_LIMIT_REQUESTS: Type.Integer({
      description:
        'Most requests a minute of each key, or of each address where no key is asked for, counted by this process; 0: no limit. More are answered 429.',
      default: 0,
      minimum: 0,
      maximum: 1_000_000,
    }),
    PRECIS_RATE_LIMIT_BYTES: Type.Integer({
      description: 'Most bytes of bodies a minute, likewise; 0: no limit.',
      default: 0,
      minimum: 0,
      maximum: 1024 * 1024 * MEBIBYTE,
    }),
    PRECIS_ADMIN_PORT: Type.Optional(
      Type.Integer({
        description:
          'Port of a listener of its own for `/metrics`, `/healthz` and `/readyz`; the main one then has no `/metrics`. Unset: all on one.',
        minimum: 0,
        maximum: 65_535,
      }),
    ),
    PRECIS_ADMIN_HOST: Type.Optional(
      Type.String({
        description: 'Address of that listener. Unset: as the main one.',
        minLength: 1,
      }),
    ),
    PRECIS_GATEWAY_CONTRACTS: Type.String({
      description:
        'Comma separated contracts of gateways whose routes the service has: `headroom`, `portkey`, `litellm`, `kong`, `agentgateway`; or `none`.',
      default: GATEWAY_CONTRACTS.join(','),
    }),
    PRECIS_BODY_LIMIT_BYTES: Type.Integer({
      description: 'Largest request body, in bytes. A larger one is answered 413.',
      default: 32 * MEBIBYTE,
      minimum: 1024,
      maximum: 256 * MEBIBYTE,
    }),
    PRECIS_MAX_MESSAGES: Type.Integer({
      description: 'Most messages of one conversation. More are answered 413.',
      default: 200_000,
      minimum: 1,
      maximum: 2_000_000,
    }),
    PRECIS_REQUEST_DEADLINE_MS: Type.Integer({
      description:
        'Time that one request may take, from its first byte to its answer. Model calls are cut short before it, so that there is still an answer; past it the request ends as 503.',
      default: 30_000,
      minimum: 100,
      maximum: 3_600_000,
    }),
    PRECIS_MAX_CONCURRENT_REQUESTS: Type.Integer({
      description: 'Most requests in progress at once. Those above it are answered 503.',
      default: 128,
      minimum: 1,
      maximum: 100_000,
    }),
    PRECIS_MAX_CONCURRENT_BYTES: Type.Integer({
      description:
        'Most bytes of request bodies in progress at once. A request that would exceed it is answered 503, unless it is the only one.',
      default: 256 * MEBIBYTE,
      minimum: 1024,
      maximum: 64 * 1024 * MEBIBYTE,
    }),
    PRECIS_MAX_EVENT_LOOP_DELAY_MS: Type.Integer({
      description:
        'Mean event loop delay of the last second above which requests are answered 503; 0 never sheds for it.',
      default: 5_000,
      minimum: 0,
      maximum: 600_000,
    }),
    PRECIS_SHUTDOWN_DELAY_MS: Type.Integer({
      description:
        'Time between SIGTERM and the first refused request, during which /readyz already answers 503, for load balancers that notice late.',
      default: 0,
      minimum: 0,
      maximum: 600_000,
    }),
    PRECIS_SHUTDOWN_GRACE_MS: Type.Integer({
      description: 'Time that requests in progress get to finish at shutdown.',
      default: 25_000,
      minimum: 0,
      maximum: 3_600_000,
    }),
    PRECIS_TRUST_PROXY: Type.String({
      description:
        'Whose X-Forwarded-* headers are believed: `false`, `true`, or comma separated addresses, subnets and the names loopback, linklocal, uniquelocal.',
      default: 'false',
    }),
    PRECIS_WORKERS: Type.Optional(
      Type.Integer({
        description:
          'Threads for large bodies, posted, of gateways or proxied, so that small ones and probes are answered meanwhile; 0: none. Unset: one less than the cores, 1 to 4.',
        minimum: 0,
        maximum: 256,
      }),
    ),
    PRECIS_WORKER_MIN_BYTES: Type.Integer({
      description: 'Smallest body, unpacked, that is worked on by one of those threads.',
      default: 256 * 1024,
      minimum: 0,
      maximum: 1024 * MEBIBYTE,
    }),
    PRECIS_UI: Type.Enum(['on', 'off'], {
      description: 'Whether the inspector, the page at /ui, is served.',
      default: 'on',
    }),
    PRECIS_DEFAULT_PROFILE: Type.Enum(PROFILE_NAMES, {
      description: 'Preset of options for requests that name none.',
      default: 'neurolink',
    }),
    PRECIS_LOW_WATER: Type.Number({
      description:
        'How far gateways and the proxy compact a conversation that has outgrown its target: to this share of what lies between the floor and the target. Lower: less often, and more at once.',
      default: DEFAULT_LOW_WATER,
      minimum: 0,
      maximum: 1,
    }),
    PRECIS_STEP_MEMO_BYTES: Type.Integer({
      description:
        'Memory for what earlier turns decided, in bytes, so that no model is asked about them again; 0 remembers nothing.',
      default: 64 * MEBIBYTE,
      minimum: 0,
      maximum: 16 * 1024 * MEBIBYTE,
    }),
    PRECIS_MODEL_WINDOWS: Type.Optional(
      Type.String({
        description:
          'JSON object of model name to `{"contextWindow": tokens, "maxOutputTokens": tokens}`, ahead of the built-in table. `maxOutputTokens` is reserved for the answer and may be left out.',
      }),
    ),
    PRECIS_TOKEN_CACHE_BYTES: Type.Integer({
      description: 'Memory for cached token counts, in bytes; 0 caches nothing.',
      default: 64 * MEBIBYTE,
      minimum: 0,
      maximum: 16 * 1024 * MEBIBYTE,
    }),
    ...DECIDE_VARIABLES,
    PRECIS_TRACING_URL: Type.Optional(
      Type.String({
        description:
          'Full URL of an OpenTelemetry collector that takes OTLP traces over HTTP, such as `http://localhost:4318/v1/traces`. Unset: nothing is traced.',
      }),
    ),
    PRECIS_TRACING_SAMPLE_RATIO: Type.Number({
      description:
        'Share of the traces that begin here and are sent; a caller who traces decides for its own.',
      default: 1,
      minimum: 0,
      maximum: 1,
    }),
    PRECIS_REDACT: Type.Enum(['on', 'off'], {
      description:
        'Whether secrets of known shapes are replaced by placeholders in all that is sent to a decide model or summariser outside. The conversation that goes back is not altered.',
      default: 'on',
    }),
    PRECIS_SUMMARIZER_DIALECT: Type.Enum(SUMMARIZER_DIALECTS, {
      description:
        'API of the model that writes summaries: OpenAI-compatible chat completions, Anthropic Messages, or `none`, which skips that stage.',
      default: 'none',
    }),
    PRECIS_SUMMARIZER_URL: Type.Optional(
      Type.String({
        description:
          "URL of the summariser's API: its endpoint (`.../chat/completions`, `.../messages`) or the base before it. Required unless the dialect is `none`.",
      }),
    ),
    PRECIS_SUMMARIZER_API_KEY: Type.Optional(
      Type.String({ description: 'Key for the summariser.' }),
    ),
    PRECIS_SUMMARIZER_MODEL: Type.Optional(
      Type.String({
        description: 'Model that writes summaries. Required unless the dialect is `none`.',
      }),
    ),
    PRECIS_SUMMARIZER_TIMEOUT_MS: Type.Integer({
      description: 'Longest wait for one summary; the deadline of the request bounds it too.',
      default: 25_000,
      minimum: 100,
      maximum: 3_600_000,
    }),
    PRECIS_SUMMARIZER_MAX_INPUT_TOKENS: Type.Integer({
      description:
        "Most tokens that one summary request may carry. Keep it below the summariser's context window less its answer.",
      default: 100_000,
      minimum: 1_000,
      maximum: 10_000_000,
    }),
    ...UPSTREAM_VARIABLES,
  },
  { additionalProperties: false },
)

export type Variables = Static<typeof ConfigSchema>
export type VariableName = keyof Variables

/** Values that no log line, document or error may show. */
export const SECRET_VARIABLES: ReadonlySet<VariableName> = new Set([
  'PRECIS_API_KEYS',
  'PRECIS_DECIDE_API_KEY',
  'PRECIS_DECIDE_FALLBACK_API_KEY',
  'PRECIS_SUMMARIZER_API_KEY',
])

export const ModelWindowsSchema = Type.Record(
  Type.String(),
  Type.Object(
    {
      contextWindow: Type.Integer({ minimum: 1 }),
      maxOutputTokens: Type.Optional(Type.Integer({ minimum: 1 })),
    },
    { additionalProperties: false },
  ),
)

export type ModelWindows = Static<typeof ModelWindowsSchema>
