import fc from 'fast-check'
import {
  brokenConversationOf,
  type ConversationPayload,
  type ConversationSize,
  WIRE_FORMATS,
} from '../../test/helpers/arbitraries/index.ts'
import type { SeededRandom } from '../../test/helpers/seeded-random.ts'
import type { WireFormat } from '../../test/helpers/wire-rules/index.ts'
import { type CompactionCase, compactionCase } from '../../test/property/support/compaction-case.ts'

/** Mostly small ones: a fault shows on a dozen messages, and ten times as many of them can be sent. */
const SIZES: readonly (readonly [weight: number, size: ConversationSize])[] = [
  [0.88, { maxMessages: 12 }],
  [0.11, { maxMessages: 60 }],
  [0.01, { minMessages: 60, maxMessages: 300 }],
]

const SEEDS = 2 ** 31

export interface DrawnConversation {
  readonly format: WireFormat
  readonly payload: ConversationPayload
}

const cases = new Map<string, fc.Arbitrary<CompactionCase>>()
const broken = new Map<string, fc.Arbitrary<ConversationPayload>>()

/** A valid conversation with the options of a run on it. */
export function drawCase(
  random: SeededRandom,
  formats: readonly WireFormat[] = WIRE_FORMATS,
): CompactionCase {
  const format = random.pick(formats)
  const size = drawSize(random)
  return draw(random, cases, keyOf(format, size), () => compactionCase(format, size))
}

/** A conversation that was valid until one rule of its provider was broken. */
export function drawBroken(
  random: SeededRandom,
  formats: readonly WireFormat[] = WIRE_FORMATS,
): DrawnConversation {
  const format = random.pick(formats)
  const size = drawSize(random)
  const payload = draw(random, broken, keyOf(format, size), () =>
    brokenConversationOf(format, size).map((sketch) => sketch.payload),
  )
  return { format, payload }
}

function keyOf(format: WireFormat, { maxMessages }: ConversationSize): string {
  return `${format} ${maxMessages}`
}

function drawSize(random: SeededRandom): ConversationSize {
  let left = random.next()
  for (const [weight, size] of SIZES) {
    left -= weight
    if (left < 0) return size
  }
  return {}
}

/** One value of the arbitrary, by a seed of its own: the same request whatever was drawn before. */
function draw<Value>(
  random: SeededRandom,
  known: Map<string, fc.Arbitrary<Value>>,
  key: string,
  make: () => fc.Arbitrary<Value>,
): Value {
  let arbitrary = known.get(key)
  if (arbitrary === undefined) {
    arbitrary = make()
    known.set(key, arbitrary)
  }
  const [value] = fc.sample(arbitrary, { seed: random.below(SEEDS), numRuns: 1 })
  if (value === undefined) throw new Error('nothing was drawn')
  return value
}
