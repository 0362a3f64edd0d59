import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FORMATS } from '../../../src/formats/index.ts'

const pageOf = (format: string): string =>
  readFileSync(new URL(`../../../docs/formats/${format}.md`, import.meta.url), 'utf8')

/** The names in the first column of the page's rule table. */
function documentedRules(page: string): string[] {
  const table = page.slice(page.indexOf('| rule | source |'))
  return [...table.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name ?? '')
}

describe.each(Object.values(FORMATS))('the page of $id', ({ id, rules, changeRules }) => {
  it('lists every wire rule, in their order', () => {
    expect(documentedRules(pageOf(id))).toEqual(rules.map(({ id: rule }) => rule))
  })

  it('names every rule of a change', () => {
    for (const { id: rule } of changeRules) expect(pageOf(id)).toContain(`\`${rule}\``)
  })
})

describe('every rule', () => {
  it.each(Object.values(FORMATS))(
    'of $id has a source, and an id that no other has',
    ({ rules }) => {
      for (const { source } of rules) expect(source.length).toBeGreaterThan(10)
      expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length)
    },
  )
})
