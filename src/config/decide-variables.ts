import { Type } from 'typebox'
import { DEFAULT_FOLDER } from '../decide/minilm/installation.ts'
import { REMOTE_WIRES } from '../decide/wire-names.ts'
import { RERANK_DIALECTS } from '../decide/wires/rerank-dialects.ts'

/** Models in this process: the one that ships, and one that is installed beside it. */
export const EMBEDDED_MODELS = ['static', 'minilm'] as const

export const DECIDE_WIRES = ['embedded', 'none', ...REMOTE_WIRES] as const

const text = (description: string) => Type.Optional(Type.String({ description }))
const limit = (description: string, minimum: number) =>
  Type.Optional(Type.Integer({ description, minimum, maximum: 100_000_000 }))

/**
 * What one wire over HTTP can be told. The names get a prefix: one for each wire of a chain.
 *
 * @param of begins every description
 */
const linkSettings = (of: string) => ({
  URL: text(
    `${of}Full URL of the decision endpoint, path included, without credentials. Required with a wire over HTTP; the path does not tell the wire.`,
  ),
  API_KEY: text(`${of}Bearer key for the decision endpoint.`),
  MODEL: text(
    `${of}Decision model to ask for. Unset: the wire's usual one; \`rerank\` (but for the dialect \`tei\`), \`generative-scoring\` and \`chat-logprobs\` have none and require it.`,
  ),
  TIMEOUT_MS: Type.Integer({
    description: `${of}Longest wait for one decision request.`,
    default: 5_000,
    minimum: 50,
    maximum: 600_000,
  }),
  MAX_CONCURRENCY: Type.Integer({
    description: `${of}Most decision requests in progress at once.`,
    default: 8,
    minimum: 1,
    maximum: 1_000,
  }),
  MAX_QUESTIONS: limit(
    `${of}Most questions, or texts, of one decision request. Unset: the wire's, or the dialect's. A LiteLLM proxy takes 128, whatever stands behind it.`,
    1,
  ),
  MAX_REQUEST_TOKENS: limit(
    `${of}Most tokens of one decision request, by the server's own count. Unset: the wire's. Where a server refuses a request as too large, smaller ones are sent from then on anyway.`,
    256,
  ),
  MAX_STATE_TOKENS: limit(
    `${of}Most tokens of the state with the longest question. Unset: the wire's, or the most of the whole request where that is less.`,
    256,
  ),
  MAX_PROMPT_TOKENS: limit(
    `${of}Most tokens of one prompt, or of one query with its text, for wires that make one of each question. Unset: the wire's, or the dialect's.`,
    64,
  ),
  DIALECT: Type.Optional(
    Type.Enum(RERANK_DIALECTS, {
      description: `${of}Which rerank API the server speaks. Required with the wire \`rerank\`.`,
    }),
  ),
  CALIBRATION: text(
    `${of}Curve from scores to P(needed): the JSON that \`npm run calibrate\` prints. For \`rerank\`, \`generative-scoring\` and \`chat-logprobs\`.`,
  ),
  LABEL_TOKEN_IDS: text(
    `${of}Token ids of the words yes and no in the vocabulary of the model, as \`9454,2753\`. Required with the wire \`generative-scoring\`.`,
  ),
  PROMPT_TEMPLATE: text(
    `${of}Chat template of the model with \`{prompt}\` where the words of the user stand. For \`generative-scoring\`, whose endpoint applies none.`,
  ),
  EXTRA_BODY: text(
    `${of}JSON object of members that the server needs in each request besides. For \`chat-logprobs\`.`,
  ),
})

type LinkSettings = ReturnType<typeof linkSettings>
export type LinkSettingName = keyof LinkSettings
type Prefixed<Prefix extends string> = {
  [Name in keyof LinkSettings & string as `${Prefix}${Name}`]: LinkSettings[Name]
}

function prefixed<Prefix extends string>(prefix: Prefix, of: string): Prefixed<Prefix> {
  const entries = Object.entries(linkSettings(of))
  return Object.fromEntries(
    entries.map(([name, schema]) => [`${prefix}${name}`, schema]),
  ) as unknown as Prefixed<Prefix>
}

export const PRIMARY_PREFIX = 'PRECIS_DECIDE_'
export const FALLBACK_PREFIX = 'PRECIS_DECIDE_FALLBACK_'

/** The variables of the decide model, in the order in which they are documented. */
export const DECIDE_VARIABLES = {
  PRECIS_DECIDE_WIRE: Type.Enum(DECIDE_WIRES, {
    description:
      'How relevance is judged: `embedded` needs no network, `none` switches deciding off, the others are HTTP wires.',
    default: 'embedded',
  }),
  PRECIS_DECIDE_CHAIN: text(
    'Comma separated wires, each once, in place of `PRECIS_DECIDE_WIRE`: the first is asked, and each other where those before it fail or do not answer that kind of question. At most two over HTTP: the first of them has the settings `PRECIS_DECIDE_*`, the second `PRECIS_DECIDE_FALLBACK_*`.',
  ),
  PRECIS_DECIDE_SITES: text(
    'Comma separated judgements that the decide model is asked for: `relevance`, `summary-gate`, `context-scope`. Unset: all that it answers. One that no wire of the deployment answers is refused at start.',
  ),
  PRECIS_DECIDE_EMBEDDED_MODEL: Type.Enum(EMBEDDED_MODELS, {
    description:
      'Which model `embedded` is: `static` ships with the service; `minilm` ranks better and takes more time and memory, is installed by `npm run setup:minilm`, and has `static` behind it where it is too slow.',
    default: 'static',
  }),
  PRECIS_DECIDE_MINILM_FOLDER: Type.String({
    description: 'Folder that `npm run setup:minilm` made, from the working directory.',
    default: DEFAULT_FOLDER,
    minLength: 1,
  }),
  PRECIS_DECIDE_MINILM_THREADS: Type.Integer({
    description: 'Threads that share the work on one text of `minilm`.',
    default: 1,
    minimum: 1,
    maximum: 64,
  }),
  PRECIS_DECIDE_MINILM_TIMEOUT_MS: Type.Integer({
    description:
      'Longest that one request waits for `minilm`; past it the static model answers, and what was read is remembered for the next request.',
    default: 5_000,
    minimum: 1,
    maximum: 600_000,
  }),
  PRECIS_DECIDE_MINILM_CACHE_BYTES: Type.Integer({
    description:
      'Most memory of the vectors that `minilm` remembers by the hash of their message, about 2.4 KB each. 0: none.',
    default: 33_554_432,
    minimum: 0,
    maximum: 17_179_869_184,
  }),
  ...prefixed(PRIMARY_PREFIX, ''),
  ...prefixed(FALLBACK_PREFIX, 'Second HTTP wire of the chain: '),
}
