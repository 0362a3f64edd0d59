import { describe, expect, it } from 'vitest'
import { isPoorer, parseSections } from '../../../../src/engine/summary/checks.ts'
import { SUMMARY_SECTIONS } from '../../../../src/engine/summary/prompt.ts'

/** A summary of the given sections, each with its lines. */
function summary(sections: Partial<Record<(typeof SUMMARY_SECTIONS)[number], string>>): string {
  return SUMMARY_SECTIONS.map(
    (name, index) => `${index + 1}. ${name}\n${sections[name] ?? 'none'}`,
  ).join('\n')
}

const RULES = 'Constraints and Established Rules'

describe('parseSections', () => {
  it.each([
    '1. Current Work: writing tests',
    '## Current Work\nwriting tests',
    '**7. Current Work**\nwriting tests',
    '7) current work:\n  writing tests  ',
    '### **Current Work:** writing tests',
  ])('reads the heading of %j', (text) => {
    expect(parseSections(text)).toEqual(new Map([['Current Work', ['writing tests']]]))
  })

  it.each(['none', 'None.', '- none', '* NONE'])('reads %j as an empty section', (nothing) => {
    expect(parseSections(`8. Next Step\n${nothing}`)).toEqual(new Map([['Next Step', []]]))
  })

  it('takes a sentence that begins like a heading for a line', () => {
    expect(parseSections('Current Work\nNext Step is the index.\n')).toEqual(
      new Map([['Current Work', ['Next Step is the index.']]]),
    )
  })

  it('leaves out what stands before the first section, and takes no very long line for a heading', () => {
    expect(parseSections('Hello\nworld').size).toBe(0)
    expect(parseSections(`Current Work: ${'x'.repeat(5_000)}`).size).toBe(0)
  })

  it('adds up a section that comes twice', () => {
    expect(parseSections('Next Step\na\nCurrent Work\nb\nNext Step\nc')).toEqual(
      new Map([
        ['Next Step', ['a', 'c']],
        ['Current Work', ['b']],
      ]),
    )
  })
})

describe('isPoorer', () => {
  const before = summary({
    'Key Technical Concepts': 'undici',
    [RULES]: '- Node 20\n- "never log keys"',
  })

  it('is not poorer with the same in other words and the same constraints', () => {
    const text = summary({
      'Key Technical Concepts': 'HTTP',
      [RULES]: '* node 20.\n* Never log keys!',
    })
    expect(isPoorer(text, before)).toBe(false)
  })

  it.each([
    'Primary Request and Intent',
    'Key Technical Concepts',
    'Files and Code Sections',
    'Task Evolution',
  ] as const)('is poorer where %s had content and has none', (name) => {
    expect(isPoorer(summary({}), summary({ [name]: 'content' }))).toBe(true)
    expect(isPoorer('no sections at all', summary({ [name]: 'content' }))).toBe(true)
  })

  it.each([
    'Problem Solving',
    'Pending Tasks',
    'Current Work',
    'Next Step',
    'Required Files',
  ] as const)('lets %s end as the work goes on', (name) => {
    expect(isPoorer(summary({}), summary({ [name]: 'content' }))).toBe(false)
  })

  it('is poorer where one line of the constraints is missing', () => {
    const text = summary({ 'Key Technical Concepts': 'undici', [RULES]: '- Node 20' })
    expect(isPoorer(text, before)).toBe(true)
  })

  it('finds a constraint inside a longer line', () => {
    const text = summary({
      'Key Technical Concepts': 'undici',
      [RULES]: 'The user said: Node 20, and "never log keys".',
    })
    expect(isPoorer(text, before)).toBe(false)
  })

  it('takes no other number for the same constraint', () => {
    const limit = (line: string) => summary({ [RULES]: line })
    expect(isPoorer(limit('at most 30'), limit('at most 3'))).toBe(true)
    expect(isPoorer(limit('at most 13 attempts'), limit('3 attempts'))).toBe(true)
  })

  it('takes a line of signs alone for no constraint', () => {
    expect(isPoorer(summary({ [RULES]: 'Node 20' }), summary({ [RULES]: 'Node 20\n---' }))).toBe(
      false,
    )
  })

  it('holds on to the constraints of every one of several earlier summaries', () => {
    const previous = `${summary({ [RULES]: 'Node 20' })}\n\n${summary({ [RULES]: 'no new dependency' })}`
    expect(isPoorer(summary({ [RULES]: 'no new dependency' }), previous)).toBe(true)
    expect(isPoorer(summary({ [RULES]: 'Node 20\nno new dependency' }), previous)).toBe(false)
  })

  it('needs no constraints where there were none', () => {
    expect(isPoorer('Current Work: tests', 'Current Work: code')).toBe(false)
  })

  it('has nothing to compare with a summary without sections', () => {
    expect(isPoorer('anything', 'free prose')).toBe(false)
  })
})
