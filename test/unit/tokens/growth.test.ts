import { describe, expect, it } from 'vitest'
import { END_BYTE, loadCharacterClasses } from '../../../src/tokens/character-classes.ts'
import { getEncoding } from '../../../src/tokens/encoding.ts'
import { createLongPieceMerge } from '../../../src/tokens/long-piece-merge.ts'
import { pieceEndCl100k } from '../../../src/tokens/pre-tokenise-cl100k.ts'
import { pieceEndO200k } from '../../../src/tokens/pre-tokenise-o200k.ts'
import { loadVocabulary, type Vocabulary } from '../../../src/tokens/vocabulary.ts'
import { TIMED } from '../../helpers/timed.ts'
import { PATHOLOGICAL_TEXTS } from './pathological-texts.ts'

const ROWS = Object.entries(PATHOLOGICAL_TEXTS)
const UNITS = 200_000

describe('the work of counting 200,000 units', () => {
  const classes = loadCharacterClasses()
  const vocabulary = loadVocabulary('o200k_base')

  it.each(ROWS)('reads each byte a few times to cut %s into pieces', (_, make) => {
    for (const pieceEnd of [pieceEndO200k, pieceEndCl100k]) {
      const { bytes, length } = toBytes(make(UNITS / 4))
      let reads = 0
      const counting = new Proxy(bytes, {
        get: (target, index) => {
          reads++
          return target[Number(index)]
        },
      })
      let start = 0
      while (start < length) start = pieceEnd(counting, start, classes)
      expect(start).toBe(length)
      expect(reads / length).toBeLessThan(12)
    }
  })

  it.each(ROWS)('looks up a few tokens per byte to merge %s as one piece', (_, make) => {
    const { bytes, length } = toBytes(make(UNITS))
    let lookUps = 0
    const counting: Vocabulary = {
      ...vocabulary,
      rankOf: (view, start, size) => {
        lookUps++
        return vocabulary.rankOf(view, start, size)
      },
    }
    const merge = createLongPieceMerge(counting)
    expect(merge(bytes, new DataView(bytes.buffer), 0, length)).toBeGreaterThan(0)
    // Two for each merge, of which a window has fewer than bytes, and an eighth more for the overlaps.
    expect(lookUps / length).toBeLessThan(2.5)
  })

  it.each(ROWS)('takes at most 25 times the processor time of a tenth of %s', TIMED, (_, make) => {
    const { countTokens } = getEncoding('o200k_base')
    const tenth = make(UNITS / 10)
    const whole = make(UNITS)
    countTokens(whole)
    const ratio =
      leastTime(3, 1, () => countTokens(whole)) / leastTime(3, 4, () => countTokens(tenth))
    expect(ratio).toBeLessThan(25)
  })
})

function toBytes(text: string): { bytes: Uint8Array; length: number } {
  const encoded = Buffer.from(text)
  const bytes = new Uint8Array(encoded.length + 16)
  bytes.set(encoded)
  bytes[encoded.length] = END_BYTE
  return { bytes, length: encoded.length }
}

/** Processor time of a call in microseconds, the least of several measurements. */
function leastTime(measurements: number, calls: number, work: () => void): number {
  let least = Number.POSITIVE_INFINITY
  for (let measurement = 0; measurement < measurements; measurement++) {
    const before = process.cpuUsage()
    for (let call = 0; call < calls; call++) work()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / calls)
  }
  return least
}
