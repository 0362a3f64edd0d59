/**
 * Run by retention.test.ts with --expose-gc: counts 200 texts of 200 kB, none of which is referred to
 * afterwards, and prints by how many bytes the memory of the process has grown.
 */
import { createTokenCounters } from '../../../src/tokens/token-counter.ts'
import { createRandom } from './random.ts'
import { SAMPLE_TEXTS } from './sample-texts.ts'

const collect = globalThis.gc
if (collect === undefined) throw new Error('needs --expose-gc')

const random = createRandom(1)
const words = Object.values(SAMPLE_TEXTS).flatMap((text) => text.split(' '))
const { countTokens } = createTokenCounters({ cacheBytes: 1_000_000 }).forModel('gpt-4o')

function countOneText(): void {
  let text = ''
  while (text.length < 200_000) text += ` ${random.pick(words)}${random.below(1e6).toString(36)}`
  const { message } = JSON.parse(JSON.stringify({ message: text })) as { message: string }
  countTokens(message)
  // A part of a text shares the whole text's memory as long as anything refers to the part.
  countTokens(message.slice(1000, 3000))
}

function usedBytes(): number {
  collect?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

for (let text = 0; text < 5; text++) countOneText()
const before = usedBytes()
for (let text = 0; text < 200; text++) countOneText()
console.log(usedBytes() - before)
