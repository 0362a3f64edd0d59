import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { newFaults } from '../helpers/wire-rules/index.ts'
import { SERVED_FORMATS } from './support/formats.ts'
import { playSession, sessionCase } from './support/growing-session.ts'
import { property } from './support/run-property.ts'

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

describe.each(SERVED_FORMATS)('steps: a limit in bytes beside the tokens, in %s', (format) => {
  property(
    'is kept by every turn that says it fits, and told by the bytes that came in and went out',
    fc.record({
      session: sessionCase(format, 36),
      share: fc.integer({ min: 100, max: 1_000 }),
    }),
    async ({ session, share }, meet) => {
      const maxBytes = Math.ceil((bytesOf(session.sketch.payload) * share) / 1_000)
      const { turns } = await playSession(session, { over: { maxBytes } })
      for (const { report, input, output, posted, returned, result, steps } of turns) {
        const { bytes, fits, target, tokensAfter } = report
        if (bytes === undefined) throw new Error('bytes were limited')
        expect(bytes.max).toBe(maxBytes)
        expect(bytes.before).toBe(bytesOf(posted))
        expect(bytes.after).toBeGreaterThanOrEqual(bytesOf(returned))
        expect(fits).toBe(tokensAfter <= target && bytes.after <= maxBytes)
        expect(newFaults(format, input, output)).toEqual([])
        expect(result.brokenRules).toEqual([])
        if (bytes.before > maxBytes && fits) meet('bytes saved')
        if (steps.taken > 1) meet('several steps')
      }
    },
    { runs: 0.3, meets: { 'bytes saved': 0.2, 'several steps': 0.1 } },
  )
})
