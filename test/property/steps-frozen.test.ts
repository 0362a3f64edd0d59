import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { compactConversation } from '../../src/conversation/compact-conversation.ts'
import { itemsOf } from '../helpers/arbitraries/index.ts'
import { newFaults } from '../helpers/wire-rules/index.ts'
import { withMarkOn } from './support/cache-marks.ts'
import { SERVED_FORMATS } from './support/formats.ts'
import { playSession, servicesOf, sessionCase } from './support/growing-session.ts'
import { unhurried } from './support/run-case.ts'
import { property } from './support/run-property.ts'

const thousandths = fc.integer({ min: 0, max: 1_000 })

/** The number of messages that a share of the whole comes to; some shares come to more than there are. */
const countOf = (share: number, length: number) => Math.round((share / 900) * length)

describe.each(SERVED_FORMATS)('steps: what is frozen stays, in %s', (format) => {
  property(
    'the first messages come back byte for byte, markers among them, whatever the target and the steps',
    fc.record({ session: sessionCase(format), share: thousandths }),
    async ({ session, share }, meet) => {
      const frozenMessages = countOf(share, itemsOf(session.sketch.payload).length)
      const { turns } = await playSession(session, { over: { frozenMessages } })
      for (const { returned, posted, steps, input, output, result } of turns) {
        const frozen = posted.slice(0, frozenMessages)
        if (steps.taken > 0 && frozen.length > 0) meet('a step behind what is frozen')
        expect(frozen.every((message, place) => returned[place] === message)).toBe(true)
        expect(newFaults(format, input, output)).toEqual([])
        expect(result.brokenRules).toEqual([])
      }
    },
    { runs: 0.3, meets: { 'a step behind what is frozen': 0.1 } },
  )

  property(
    'the turns with something frozen go on from one another too',
    fc.record({ session: sessionCase(format), share: fc.integer({ min: 0, max: 400 }) }),
    async ({ session, share }, meet) => {
      const frozenMessages = countOf(share, itemsOf(session.sketch.payload).length)
      const { turns } = await playSession(session, { over: { frozenMessages } })
      for (const [index, turn] of turns.entries()) {
        const before = turns[index - 1]
        if (before === undefined || before.steps.taken === 0) continue
        if (before.steps.taken !== turn.steps.taken) continue
        if (!before.report.fits || !turn.report.fits) continue
        meet('a prefix that was compacted')
        const grown = [...before.returned, ...turn.posted.slice(before.count)]
        expect(JSON.stringify(turn.returned)).toBe(JSON.stringify(grown))
      }
    },
    { runs: 0.3, meets: { 'a prefix that was compacted': 0.1 } },
  )
})

describe.each(['anthropic-messages', 'openai-chat'] as const)(
  'steps: what the caller has asked the provider to cache, in %s',
  (format) => {
    property(
      'is given up only where the target cannot be met with it, and the answer says so',
      fc.record({ session: sessionCase(format), share: thousandths }),
      async ({ session, share }, meet) => {
        const { sketch } = session
        const place = Math.min(
          itemsOf(sketch.payload).length - 1,
          countOf(share, itemsOf(sketch.payload).length),
        )
        const { turns } = await playSession(session, {
          dress: (items) => withMarkOn(items, place),
        })
        for (const [index, turn] of turns.entries()) {
          const { cached } = turn.steps
          expect(cached === null).toBe(place >= turn.count)
          if (cached === null) continue
          const isSame = (message: unknown, at: number) => turn.returned[at] === message
          expect(cached.messages).toBe(place + 1)
          expect(cached.kept).toBe(turn.posted.slice(0, cached.messages).every(isSame))
          if (turn.steps.taken === 0 || !turn.report.fits) continue
          if (cached.kept) {
            meet('a step behind what is cached')
            continue
          }
          // Of the first step only: it alone began with what was posted.
          if (turns[index - 1]?.steps.taken !== 0 || turn.steps.taken !== 1) continue
          meet('what is cached given up')
          const held = await compactConversation(
            { ...turn.request, frozenMessages: cached.messages },
            servicesOf(sketch),
            unhurried(),
          )
          expect(held.report.fits).toBe(false)
        }
      },
      {
        runs: 0.3,
        meets: { 'a step behind what is cached': 0.1, 'what is cached given up': 0.03 },
      },
    )
  },
)
