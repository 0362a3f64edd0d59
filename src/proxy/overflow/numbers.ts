import type { ErrorFields } from './error-fields.ts'

/** By the upstream's own count; either may be missing. */
export interface OverflowNumbers {
  /** Tokens that the input may have: the limit less what the answer was to have, where both are said. */
  readonly limitTokens?: number
  /** Tokens that the input had. */
  readonly sentTokens?: number
}

interface Pattern {
  readonly words: RegExp
  /** What the groups of the expression are, in order. */
  readonly groups: readonly ('limit' | 'sent' | 'output' | 'total')[]
}

const N = '([\\d,]{2,12})'

function pattern(words: string, ...groups: Pattern['groups']): Pattern {
  return { words: new RegExp(words.replaceAll('#', N), 'i'), groups }
}

/** The more a sentence says, the earlier it stands. */
const PATTERNS: readonly Pattern[] = [
  // Anthropic: 188240 + 21333 > 200000
  pattern('exceed context limit: # \\+ # > #', 'sent', 'output', 'limit'),
  // Anthropic: prompt is too long: 210000 tokens > 200000 maximum
  pattern('# tokens > #', 'sent', 'limit'),
  // vLLM: (32000 > 32768 - 5000) of its max_tokens
  pattern('\\(# > # - #\\)', 'output', 'limit', 'sent'),
  // vLLM: You passed 200001 input tokens and requested 1000 output tokens ... context length is only 4096
  pattern(
    'passed # input tokens and requested # output tokens.{0,80}?context length is only #',
    'sent',
    'output',
    'limit',
  ),
  // OpenAI, vLLM, DeepSeek, OpenRouter: maximum context length is 4097 ... requested 4120 tokens (3120 in the messages, 1000 in the completion)
  pattern(
    'context length is # tokens.{0,60}?requested (?:about )?# tokens? \\(# (?:in|of|from)[^,;)]*[,;] # ',
    'limit',
    'total',
    'sent',
    'output',
  ),
  // SGLang: maximum context length of 4096 tokens. You requested a total of 6000 tokens: 5000 tokens from the input messages and 1000
  pattern(
    'context length of # tokens.{0,60}?total of # tokens: # tokens from .{0,40}? and # ',
    'limit',
    'total',
    'sent',
    'output',
  ),
  // OpenAI: maximum context length is 4097 tokens. However, your messages resulted in 4363 tokens
  pattern(
    '(?:context length is|configured limit of) # tokens.{0,60}?(?:resulted in|requested|has|contains) (?:about )?#',
    'limit',
    'sent',
  ),
  // Text Generation Inference
  pattern('must be <= #\\. Given: # `?inputs`? tokens and # ', 'limit', 'sent', 'output'),
  pattern('less than # tokens.{0,30}?Given: #', 'limit', 'sent'),
  // Gemini, Vertex
  pattern('input token count (?:is )?\\(?#\\)?.{0,60}?(?:allowed|up to) \\(?#', 'sent', 'limit'),
  // xAI
  pattern('maximum prompt length is # but the request contains #', 'limit', 'sent'),
  // llama.cpp
  pattern(
    'request \\(# tokens\\) exceeds the available context size \\(# tokens\\)',
    'sent',
    'limit',
  ),
  // SGLang: The input (5000 tokens) is longer than the model's context length (4096 tokens)
  pattern('input \\(# tokens\\) is longer than .{0,30}? \\(# tokens\\)', 'sent', 'limit'),
  // Mistral
  pattern('contains # tokens.{0,60}?with # maximum context length', 'sent', 'limit'),
  // Copilot
  pattern('token count of # exceeds the limit of #', 'sent', 'limit'),
  // Kimi
  pattern('token limit: # \\(requested: #\\)', 'limit', 'sent'),
  // Cohere
  pattern('cannot exceed # - received #', 'limit', 'sent'),
  // Cerebras
  pattern('current length is # while limit is #', 'sent', 'limit'),
  // Qwen
  pattern('input length should be \\[\\d+, #\\]', 'limit'),
  // vLLM: resulting in a maximum input length of 3096 tokens
  pattern('maximum input length of #', 'limit'),
  pattern('(?:context (?:length|window|size) (?:is|of)(?: only)?|prompt length is) #', 'limit'),
]

/** Names under which servers give the numbers as numbers. */
const SENT_NAMES = ['n_prompt_tokens', 'prompt_tokens', 'input_tokens'] as const
const LIMIT_NAMES = ['n_ctx', 'max_context_length', 'context_length', 'context_window'] as const

/** Longer texts are not the sentence of a server, and would be searched many times. */
const MAX_TEXT_LENGTH = 4_000

export function readOverflowNumbers({ messages, numbers }: ErrorFields): OverflowNumbers {
  const limit = firstOf(numbers, LIMIT_NAMES)
  const sent = firstOf(numbers, SENT_NAMES)
  if (limit !== undefined && sent !== undefined) return toNumbers({ limit, sent })
  for (const { words, groups } of PATTERNS) {
    for (const text of messages) {
      const match = words.exec(text.slice(0, MAX_TEXT_LENGTH))
      if (match === null) continue
      const read: Partial<Record<'limit' | 'sent' | 'output' | 'total', number>> = {}
      groups.forEach((name, index) => {
        read[name] = Number((match[index + 1] ?? '').replaceAll(',', ''))
      })
      return toNumbers(read)
    }
  }
  return {}
}

function toNumbers(read: {
  readonly limit?: number
  readonly sent?: number
  readonly output?: number
}): OverflowNumbers {
  const { limit, sent, output = 0 } = read
  // An answer as long as the window leaves nothing: then its length is not what the limit is about.
  const input = limit === undefined ? 0 : output < limit ? limit - output : limit
  return {
    ...(input > 0 && { limitTokens: input }),
    ...(sent !== undefined && sent > 0 && { sentTokens: sent }),
  }
}

function firstOf(
  numbers: ReadonlyMap<string, number>,
  names: readonly string[],
): number | undefined {
  for (const name of names) {
    const value = numbers.get(name)
    if (value !== undefined) return value
  }
  return undefined
}
