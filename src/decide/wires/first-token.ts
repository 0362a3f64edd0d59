import { isRecord, type JsonRecord } from './json.ts'

/** Servers round logarithms, and some give 0.0001 for certainty. */
const ROUNDING = 1e-3
/**
 * Least probability that falls on yes and no together. Below it the model was going to say something
 * else, and which of the two it would rather have said is noise.
 */
const MIN_LABEL_MASS = 0.5

/**
 * P(yes) from the alternatives to the first token of a chat completion: yes over yes and no, in every
 * spelling. Undefined where the answer is a refusal, has no probabilities, or is not about yes and no.
 *
 * A word that is not among the alternatives can still be as likely as the least of them, or as all that
 * is missing; it is taken to be, which matters where a server gives only a few.
 */
export function readFirstToken(choice: unknown): number | undefined {
  if (!isRecord(choice) || isRefusal(choice) || !isRecord(choice.logprobs)) return undefined
  const { content } = choice.logprobs
  const first: unknown = Array.isArray(content) ? content[0] : undefined
  if (!isRecord(first)) return undefined
  const alternatives = Array.isArray(first.top_logprobs) ? first.top_logprobs : []
  const tokens = readTokens([...alternatives, first])
  return tokens === undefined ? undefined : shareOfYes(tokens)
}

export function isRefusal({ message, finish_reason }: JsonRecord): boolean {
  if (finish_reason === 'content_filter') return true
  return isRecord(message) && typeof message.refusal === 'string' && message.refusal !== ''
}

/** Probability by token as it is spelt. The sampled token stands among its alternatives, or beside them. */
function readTokens(items: readonly unknown[]): ReadonlyMap<string, number> | undefined {
  const tokens = new Map<string, number>()
  for (const item of items) {
    if (!isRecord(item) || typeof item.token !== 'string') return undefined
    const { token, logprob } = item
    if (typeof logprob !== 'number' || !(logprob <= ROUNDING)) return undefined
    tokens.set(token, Math.min(1, Math.exp(logprob)))
  }
  return tokens
}

function shareOfYes(tokens: ReadonlyMap<string, number>): number | undefined {
  let yes = 0
  let no = 0
  let all = 0
  let least = 1
  for (const [token, probability] of tokens) {
    all += probability
    least = Math.min(least, probability)
    const word = plainWord(token)
    if (word === 'yes') yes += probability
    else if (word === 'no') no += probability
  }
  if (all > 1 + ROUNDING * tokens.size || yes + no < MIN_LABEL_MASS) return undefined
  const unseen = Math.min(least, Math.max(0, 1 - all))
  if (yes === 0) yes = unseen
  else if (no === 0) no = unseen
  return yes / (yes + no)
}

/** Without the blank that tokenizers write before a word, in their several ways. */
function plainWord(token: string): string {
  return token
    .replace(/^[\s\u2581\u0120]+/u, '')
    .trimEnd()
    .toLowerCase()
}
