/**
 * Summarisers that run here and extract: no language model is at hand, and these say plainly what they do.
 * `frequency` is SumBasic (Nenkova and Vanderwende 2005): sentences whose words are the commonest, with no
 * idea of what a rule is. `rule-quoting` quotes first, word for word, the user's sentences that hold a word
 * of obligation, as the service's prompt asks of a model, and fills up with `frequency`. A language model
 * may do better or worse than either.
 */
import type { SummarizePort } from '../../../src/engine/ports.ts'

export const SUMMARIZERS = ['frequency', 'rule-quoting'] as const
export type SummarizerName = (typeof SUMMARIZERS)[number]

const MOST_WORDS = 300
const SHORTEST_SENTENCE = 4
/** A longer one is a listing, not a sentence. */
const LONGEST_SENTENCE = 60
const OBLIGATION =
  /\b(?:never|always|must|do not|don['’]t|from now on|only|without asking|keep every|treat)\b/i

export function createExtractiveSummarizer(name: SummarizerName): SummarizePort {
  return {
    model: `extractive-${name}`,
    maxInputTokens: 200_000,
    summarize: async ({ input }) => ({
      ok: true,
      text: name === 'frequency' ? byFrequency(input, MOST_WORDS) : withRules(input),
      model: `extractive-${name}`,
      toolCalls: false,
      refused: false,
      truncated: false,
      latencyMs: 0,
    }),
  }
}

function withRules(input: string): string {
  const rules = [...new Set(sentencesOf(input, 'user').filter((one) => OBLIGATION.test(one)))]
  return [...rules, byFrequency(input, MOST_WORDS)].join('\n')
}

/** Sentences of the conversation, best first until the words are used up, in their order. */
export function byFrequency(input: string, mostWords: number): string {
  const sentences = [...new Set(sentencesOf(input))].map((text, order) => ({
    text,
    order,
    words: wordsOf(text),
  }))
  const all = sentences.flatMap(({ words }) => words)
  const weight = new Map<string, number>()
  for (const word of all) weight.set(word, (weight.get(word) ?? 0) + 1 / all.length)
  const meanWeight = ({ words }: (typeof sentences)[number]): number =>
    words.reduce((sum, word) => sum + (weight.get(word) ?? 0), 0) / words.length
  const left = new Set(sentences)
  const chosen: typeof sentences = []
  for (let room = mostWords; left.size > 0; ) {
    const best = [...left].reduce((a, b) => (meanWeight(b) > meanWeight(a) ? b : a))
    left.delete(best)
    if (best.words.length > room) break
    room -= best.words.length
    chosen.push(best)
    // What is said already is worth less the next time.
    for (const word of best.words) weight.set(word, (weight.get(word) ?? 0) ** 2)
  }
  return chosen
    .sort((a, b) => a.order - b.order)
    .map(({ text }) => text)
    .join('\n')
}

/** Sentences of the user and the assistant in the material that the service hands to a summariser. */
function sentencesOf(input: string, only?: 'user'): string[] {
  const blocks = input.matchAll(/<message role="(user|assistant)"[^>]*>\n([\s\S]*?)\n<\/message>/g)
  return [...blocks].flatMap(([, role, body = '']) =>
    only !== undefined && role !== only
      ? []
      : body
          .split(/(?<=[.!?])\s+|\n/)
          .map((sentence) => sentence.trim())
          .filter((sentence) => {
            const { length } = wordsOf(sentence)
            return (
              !sentence.startsWith('[called ') &&
              length >= SHORTEST_SENTENCE &&
              length <= LONGEST_SENTENCE
            )
          }),
  )
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
