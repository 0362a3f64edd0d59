import { Type } from 'typebox'
import { PROFILE_NAMES } from '../engine/options.ts'
import { FORMAT_IDS } from '../formats/adapter.ts'

/** Messages are opaque here: the format's adapter reads them, and names the rule and the place. */
const OpenObject = Type.Object({}, { additionalProperties: true })

const MAX_TOKENS = 1_000_000_000

const systemInstruction = Type.Union([Type.String(), OpenObject], {
  description: 'Instructions beside the contents (gemini). Counted, never changed.',
})

export const conversationMembers = {
  format: Type.Optional(
    Type.String({
      description: `Wire format of the conversation: ${FORMAT_IDS.join(', ')}. Detected when not named.`,
      maxLength: 100,
    }),
  ),
  system: Type.Optional(
    Type.Union([Type.String(), Type.Array(OpenObject), OpenObject], {
      description:
        'Instructions beside the messages (anthropic-messages, ai-sdk). Counted, never changed.',
    }),
  ),
  instructions: Type.Optional(
    Type.Union([Type.String(), Type.Array(OpenObject), OpenObject], {
      description:
        'Instructions beside the conversation (openai-responses, ai-sdk). Counted, never changed.',
    }),
  ),
  systemInstruction: Type.Optional(systemInstruction),
  system_instruction: Type.Optional(systemInstruction),
  tools: Type.Optional(
    Type.Union([Type.Array(OpenObject), OpenObject], {
      description:
        'Tool definitions, as a list or (ai-sdk) by their names. Counted, never changed.',
    }),
  ),
  functions: Type.Optional(
    Type.Array(OpenObject, {
      description: "Tools of OpenAI's first tool API. Counted, never changed.",
    }),
  ),
  thinking: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'Thinking settings of the request (anthropic-messages): what the checker demands of thinking blocks depends on them.',
      },
    ),
  ),
  cache_control: Type.Optional(
    Type.Union([OpenObject, Type.Null()], {
      description:
        'Caching of the whole request (anthropic-messages): it takes one of the four breakpoints that the checker counts.',
    }),
  ),
  model: Type.Optional(
    Type.String({
      description: 'Model that the conversation is for: chooses the token counter and the window.',
      minLength: 1,
      maxLength: 200,
    }),
  ),
}

/** Exactly one of the three; which one, and that there is one, is read with the conversation. */
export const conversationLists = {
  messages: Type.Optional(
    Type.Array(Type.Unknown(), {
      description:
        'The conversation as the provider takes it, oldest first (openai-chat, anthropic-messages, neurolink, ai-sdk).',
    }),
  ),
  input: Type.Optional(
    Type.Union([Type.Array(Type.Unknown()), Type.String()], {
      description: 'The conversation in place of `messages` (openai-responses).',
    }),
  ),
  contents: Type.Optional(
    Type.Array(Type.Unknown(), {
      description: 'The conversation in place of `messages` (gemini).',
    }),
  ),
}

export const budgetMembers = {
  contextWindow: Type.Optional(
    Type.Integer({
      description: "The model's context window in tokens. Unset: from the model table.",
      minimum: 1,
      maximum: MAX_TOKENS,
    }),
  ),
  maxOutputTokens: Type.Optional(
    Type.Integer({
      description:
        "Tokens of the window that are reserved for the answer. Unset: what the deployment's own table says of the model, else 35% of the window, at most 64,000.",
      minimum: 1,
      maximum: MAX_TOKENS,
    }),
  ),
  compactionThreshold: Type.Optional(
    Type.Number({
      description:
        'Share of the available input at which the history is compacted, in (0, 1]. Only lowers the default of 0.8; a higher value is taken as 0.8.',
      exclusiveMinimum: 0,
      maximum: 1,
    }),
  ),
  files: Type.Optional(
    Type.Array(
      Type.Union([
        Type.String(),
        Type.Object(
          { name: Type.Optional(Type.String()), text: Type.String() },
          { additionalProperties: false },
        ),
        Type.Object(
          {
            name: Type.Optional(Type.String()),
            tokens: Type.Integer({ minimum: 0, maximum: MAX_TOKENS }),
          },
          { additionalProperties: false },
        ),
      ]),
      {
        description:
          'Files that will ride beside the conversation: their text, or their number of tokens. They take room in the budget.',
        maxItems: 10_000,
      },
    ),
  ),
}

export const profile = Type.Optional(
  Type.Enum(PROFILE_NAMES, { description: "Preset of options. Unset: the deployment's default." }),
)

export const TokenizerSchema = Type.Object(
  {
    encoding: Type.String({ description: 'Vocabulary that counts.' }),
    estimated: Type.Boolean({
      description:
        "Whether the count is an estimate because the model's own vocabulary is not public.",
    }),
    factor: Type.Number({ description: 'What the count is multiplied by; 1 where it is exact.' }),
  },
  { additionalProperties: true },
)

export const WarningSchema = Type.Object(
  {
    code: Type.String(),
    message: Type.String(),
    pointer: Type.Optional(Type.String({ description: 'JSON Pointer into the request body.' })),
  },
  { additionalProperties: true },
)

export const SourcedSchema = Type.Object(
  {
    value: Type.Number(),
    source: Type.String({ description: 'Where the number comes from.' }),
  },
  { additionalProperties: true },
)

export const VerdictSchema = Type.Object(
  {
    probability: Type.Number({ description: 'P(yes), 0 to 1.' }),
    confidence: Type.Number({ description: '|2p - 1|.' }),
  },
  { additionalProperties: true },
)

export const GateSchema = Type.Object(
  {
    accepted: Type.Boolean(),
    preserves: Type.Optional(VerdictSchema),
    isRefusal: Type.Optional(VerdictSchema),
    failOpen: Type.Optional(
      Type.String({ description: 'Why the gate could not judge, and accepted.' }),
    ),
  },
  { additionalProperties: true },
)

export const ArithmeticMembers = {
  contextWindow: SourcedSchema,
  outputReserve: SourcedSchema,
  available: SourcedSchema,
  overhead: Type.Object(
    {
      instructions: SourcedSchema,
      currentRequest: SourcedSchema,
      tools: SourcedSchema,
      files: SourcedSchema,
      total: SourcedSchema,
    },
    { additionalProperties: true },
  ),
  history: SourcedSchema,
  compactionThreshold: SourcedSchema,
  safetyFactor: SourcedSchema,
  historyBudget: SourcedSchema,
  trigger: SourcedSchema,
  target: SourcedSchema,
  usageRatio: Type.Number(),
  shouldCompact: Type.Boolean(),
}
