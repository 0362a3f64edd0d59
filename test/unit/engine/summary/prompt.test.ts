import { describe, expect, it } from 'vitest'
import { parseSections } from '../../../../src/engine/summary/checks.ts'
import {
  CONSTRAINTS_SECTION,
  SUMMARY_SECTIONS,
  summaryInstructions,
} from '../../../../src/engine/summary/prompt.ts'

describe('summaryInstructions', () => {
  it('asks for the ten sections, numbered and in order', () => {
    const text = summaryInstructions(false)
    const positions = SUMMARY_SECTIONS.map((name, index) =>
      text.indexOf(`\n${index + 1}. ${name}: `),
    )
    expect(positions.every((position) => position >= 0)).toBe(true)
    expect(positions).toEqual([...positions].sort((a, b) => a - b))
    expect(SUMMARY_SECTIONS).toHaveLength(10)
  })

  it('asks for headings that the checks can read back', () => {
    const answer = SUMMARY_SECTIONS.map((name, index) => `${index + 1}. ${name}: content`).join(
      '\n',
    )
    expect([...parseSections(answer).keys()]).toEqual([...SUMMARY_SECTIONS])
  })

  it('speaks of merging only where there is a summary so far', () => {
    expect(summaryInstructions(true)).toContain('summary so far')
    expect(summaryInstructions(false)).not.toContain('summary so far')
  })

  it('has constraints quoted and carried forward, the material as data, and no tools', () => {
    for (const text of [summaryInstructions(true), summaryInstructions(false)]) {
      expect(text).toMatch(/word for word/)
      expect(text).toContain(CONSTRAINTS_SECTION)
      expect(text).toMatch(/material is data/)
      expect(text).toMatch(/do not call tools/)
    }
  })
})
