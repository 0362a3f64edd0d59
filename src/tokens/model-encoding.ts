import type { EncodingName } from './vocabulary.ts'

/** How the tokens of a model's texts are counted. */
export interface ModelEncoding {
  readonly encoding: EncodingName
  /** What the encoding's count is multiplied with; 1 where the encoding is the model's own. */
  readonly factor: number
  /** True where the model's tokeniser is not at hand and the count is an estimate. */
  readonly estimated: boolean
}

/**
 * OpenAI's families after the model table of the tiktoken library (model.py, and model_to_encoding.json
 * of the npm package). gpt-oss has o200k_harmony there: o200k_base with more special tokens, so the same
 * count for any text. gpt-6 is not in the table yet and is taken to go on with o200k_base.
 */
const OWN_ENCODINGS: readonly (readonly [RegExp, EncodingName])[] = [
  [/^gpt-4o/, 'o200k_base'],
  [/^gpt-4[.-]?[15](?![0-9])/, 'o200k_base'],
  [/^gpt-[56](?![0-9])/, 'o200k_base'],
  [/^gpt-oss/, 'o200k_base'],
  [/^chatgpt-/, 'o200k_base'],
  [/^codex-mini/, 'o200k_base'],
  [/^o[134](?![a-z0-9])/, 'o200k_base'],
  [/^gpt-4(?![a-z0-9.])/, 'cl100k_base'],
  [/^gpt-3\.?5/, 'cl100k_base'],
  [/^text-embedding-/, 'cl100k_base'],
  [/^(?:davinci|babbage)-002/, 'cl100k_base'],
]

/**
 * Factors over the count of o200k_base: round numbers above the highest ratio, in brackets, that the
 * tokenisers published by the vendors (as packed on npm) gave on English prose and documentation,
 * TypeScript and JavaScript, JSON, customer-service tool dialogues and a coding session, 20,000 to 120,000
 * characters of each.
 *
 * Not covered, because not typical: text made of digits. Tokenisers that give every digit a token of its
 * own (Gemma, Qwen, Mistral, Llama 2) take 1.5 times o200k_base's tokens for log lines and hex, 1.9 times
 * for tables of numbers. Scripts other than Latin stay near the factor or below it, but with Llama 2 and
 * older Mistral models, which go far above (Arabic 2.4).
 */
const ESTIMATES: readonly (readonly [RegExp, number])[] = [
  // Gemma 3 [1.21], which shares Gemini's vocabulary.
  [/gemini|gemma|learnlm/, 1.25],
  // Codestral, Mistral Large 2 and Mixtral [1.31]; the newer Tekken vocabulary (Nemo) has 1.07.
  [/mistral|mixtral|codestral|devstral|magistral|ministral|pixtral/, 1.35],
  // Llama 2 [1.31].
  [/llama-?2|codellama/, 1.35],
  // Llama 3 [1.01]. Llama 4 has another vocabulary, larger and not at hand: hence the room.
  [/llama/, 1.1],
  // Qwen 3 [1.16].
  [/qwen|qwq|qvq/, 1.2],
  // DeepSeek V3 [1.06].
  [/deepseek/, 1.1],
]

/**
 * Claude's tokenisers are not published. Up to 4.6: the growth of `usage` between 72 requests of real
 * coding sessions with Opus 4.6, each by more than 1,500 tokens of files, command output, JSON and prose,
 * was 1.15 times o200k_base's count in the median, 1.29 in the 90th percentile (the framing of messages
 * and reminders that the transcript lacks included); published comparisons of Claude 3.5 with GPT-4o have
 * 1.16 for English, 1.21 for mathematics and 1.30 for Python.
 */
const CLAUDE_TO_4_6 = 1.3

/**
 * From 4.7 on (Sonnet 5 and Opus 5 included) Claude has a new vocabulary. The vendor states up to 1.35
 * times the tokens of 4.6; measurements with its counting endpoint gave 1.45 for English prose, 1.47 for
 * documentation, 1.13 to 1.36 for code, 1.31 for JSON. Prose at 1.15 times 1.47 is the highest product.
 */
const CLAUDE_FROM_4_7 = 1.7

/**
 * No rule names the model. The largest factor of a published tokeniser: whoever runs a model that we do
 * not know runs an open one as a rule. (NeuroLink multiplies its estimate by 1.18 for Google, 1.23 for
 * Anthropic, 1.26 for Mistral, and by nothing for all others.)
 */
const UNKNOWN = 1.35

/** Names come from callers; no vendor has one nearly this long. */
const LONGEST_NAME = 200

/**
 * The rule for a model by its name, with or without what gateways put around it: `openai/gpt-4o`,
 * `ft:gpt-4o-mini:org::id`, `us.anthropic.claude-sonnet-4-5-20250929-v1:0`, `models/gemini-2.5-pro`,
 * `openrouter/openai/o3:online`. Without a name: o200k_base, not an estimate.
 */
export function encodingForModel(model: string | undefined): ModelEncoding {
  const name = (model ?? '').trim().slice(0, LONGEST_NAME).toLowerCase()
  if (name === '') return { encoding: 'o200k_base', factor: 1, estimated: false }
  for (const part of name.split(/[/:]/)) {
    const ownName = part.replace(/^(?:[a-z-]+\.)+/, '').replace(/^gpt-?(?=\d)/, 'gpt-')
    for (const [pattern, encoding] of OWN_ENCODINGS) {
      if (pattern.test(ownName)) return { encoding, factor: 1, estimated: false }
    }
  }
  return { encoding: 'o200k_base', factor: estimateFactor(name), estimated: true }
}

/** The largest of the factors that apply: `deepseek-r1-distill-qwen-32b` has Qwen's tokeniser. */
function estimateFactor(name: string): number {
  if (/claude|anthropic/.test(name)) return claudeFactor(name)
  const factors = ESTIMATES.filter(([pattern]) => pattern.test(name)).map(([, factor]) => factor)
  return factors.length === 0 ? UNKNOWN : Math.max(...factors)
}

function claudeFactor(name: string): number {
  if (name.includes('claude-instant')) return CLAUDE_TO_4_6
  // `claude-3-5-sonnet-20241022`, `claude-opus-4.6`, `claude-sonnet-4@20250514`, `claude-v2:1`. A longer
  // number is a date, not a version.
  const version = /claude-(?:[a-z]+-|v)?(\d{1,2})(?:[.:-](\d{1,2})(?!\d))?(?!\d)/.exec(name)
  if (version === null) return CLAUDE_FROM_4_7
  const major = Number(version[1])
  const minor = Number(version[2] ?? 0)
  return major < 4 || (major === 4 && minor < 7) ? CLAUDE_TO_4_6 : CLAUDE_FROM_4_7
}
