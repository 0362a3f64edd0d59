import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { FORMATS } from '../../formats/registry.ts'
import { createJsonSource } from '../../json-text/json-source.ts'
import type { Generation } from '../surface.ts'

/**
 * What was aimed at after an upstream had refused a conversation, so that its next turn aims there at
 * once: one more request and one refusal saved, and the same prefix again, since the target no longer
 * follows from what each turn was refused at. In memory only, bounded, and about that one
 * conversation: another of the same model may be counted quite differently (pictures, files).
 */
export interface LearnedTargets {
  /** Tokens by the service's own count; undefined where nothing was refused of late. */
  readonly find: (text: Buffer, generation: Generation) => number | undefined
  readonly learn: (text: Buffer, generation: Generation, targetTokens: number) => void
}

/** Some 100 bytes each. */
const MAX_CONVERSATIONS = 10_000

/** What is behind a model's name changes, and a conversation may lose what made it too long. */
const TIME_TO_LIVE_MS = 60 * 60 * 1_000

/** A longer text is beyond the window of any model, and reading it for its key would hold up others. */
const MOST_BYTES = 4 * 1024 * 1024

/** A conversation is known by how it begins: its instructions and the first that was said. */
const OPENING_MESSAGES = 2

/**
 * `text`: the body as JSON, unpacked. A conversation of fewer messages than its opening has is not
 * remembered, and one that says the same as another in its opening is taken for it. `now`: milliseconds
 * of a clock that only goes on.
 */
export function createLearnedTargets(now = () => performance.now()): LearnedTargets {
  const targets = new LRUCache<string, number>({
    max: MAX_CONVERSATIONS,
    ttl: TIME_TO_LIVE_MS,
    perf: { now },
  })
  return {
    find: (text, generation) => {
      // Nobody is to pay for the key while nothing was ever refused.
      if (targets.size === 0) return undefined
      const key = keyOf(text, generation)
      return key === undefined ? undefined : targets.get(key)
    },
    learn: (text, generation, targetTokens) => {
      const key = keyOf(text, generation)
      if (key !== undefined) targets.set(key, targetTokens)
    },
  }
}

function keyOf(text: Buffer, { format, model }: Generation): string | undefined {
  if (text.length > MOST_BYTES) return undefined
  const { list } = FORMATS[format]
  const source = createJsonSource(text, { elementsOf: list })
  const opening = (source.elements(list) ?? []).slice(0, OPENING_MESSAGES)
  if (opening.length < OPENING_MESSAGES) return undefined
  const hash = createHash('sha256').update(JSON.stringify([format, model ?? '']))
  for (const range of [source.member('model'), ...opening]) {
    // A length before each: where one ends is part of it.
    const { start, end } = range ?? { start: 0, end: 0 }
    hash.update(`${end - start}:`).update(text.subarray(start, end))
  }
  return hash.digest('base64')
}
