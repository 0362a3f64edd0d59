import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ANTHROPIC_MESSAGES_RULES } from '../../../src/formats/anthropic-messages/check.ts'
import { NEUROLINK_RULES } from '../../../src/formats/neurolink/check.ts'
import { OPENAI_CHAT_RULES } from '../../../src/formats/openai-chat/check.ts'

const PAGE = readFileSync(new URL('../../../docs/formats.md', import.meta.url), 'utf8')

/** The names in the first column of the rule table of one section. */
function documentedRules(format: string): string[] {
  const section = PAGE.split('\n## ').find((text) => text.startsWith(`${format}\n`)) ?? ''
  const table = section.slice(section.indexOf('| rule | source |'))
  return [...table.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name ?? '')
}

describe('docs/formats.md', () => {
  it.each([
    ['openai-chat', OPENAI_CHAT_RULES],
    ['anthropic-messages', ANTHROPIC_MESSAGES_RULES],
    ['neurolink', NEUROLINK_RULES],
  ])('lists every wire rule of %s, in their order', (format, rules) => {
    expect(documentedRules(format)).toEqual(rules.map(({ id }) => id))
  })
})
