import { describe, expect, test } from 'vitest'
import {
  ARRANGEMENTS,
  buildConstrainedSession,
  CONSTRAINTS,
  FORMS,
} from '../../../eval/measurements/constraints/build-session.ts'
import { findFaults } from '../../helpers/wire-rules/index.ts'

const [rule] = CONSTRAINTS

describe('buildConstrainedSession', () => {
  for (const form of FORMS) {
    for (const arrangement of ARRANGEMENTS) {
      test(`sets the rule ${arrangement.name}, in ${form}`, () => {
        const messages = buildConstrainedSession(form, 12_000, rule, arrangement, 1)
        const places = messages.flatMap(({ content }, index) =>
          String(content).includes(rule) ? [index] : [],
        )
        expect(places).toHaveLength(arrangement.at.length)
        for (const [index, share] of arrangement.at.entries()) {
          const place = places[index] ?? -1
          expect(messages[place]?.role).toBe('user')
          expect(Math.abs(place / messages.length - share)).toBeLessThan(0.12)
          const isAlone = messages[place]?.content === rule
          expect(isAlone).toBe(share > 0 && arrangement.inPassing !== true)
        }
        expect(messages.at(-1)?.role).toBe('user')
        expect(String(messages.at(-1)?.content)).not.toContain(rule)
        expect(findFaults('openai-chat', { messages })).toEqual([])
      })
    }
  }

  test('ends with the same task wherever the rule stands', () => {
    const lasts = ARRANGEMENTS.map(
      (arrangement) =>
        buildConstrainedSession('talk', 12_000, rule, arrangement, 5).at(-1)?.content,
    )
    expect(new Set(lasts).size).toBe(1)
  })
})
