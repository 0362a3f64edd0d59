import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { compareChange } from '../../../src/formats/change-rule.ts'
import { openaiResponses } from '../../../src/formats/openai-responses/index.ts'
import { marker, plan } from './support.ts'

const user: JsonObject = { role: 'user', content: 'u' }
const says: JsonObject = { type: 'message', role: 'assistant', content: 'a' }
const reasoning: JsonObject = { type: 'reasoning', summary: [], encrypted_content: 'x' }
const compaction: JsonObject = { type: 'compaction', encrypted_content: 'x' }

function brokenBy(input: JsonObject[], changes: Parameters<typeof plan>[0]): string[] {
  const decisions = plan(changes)
  const after = openaiResponses.write({ input }, decisions)
  return compareChange(openaiResponses, { input }, after, decisions).map(
    ({ rule, pointer }) => `${rule} ${pointer}`,
  )
}

describe('openai-responses change rules', () => {
  it.each<[string, JsonObject[], number[], string[]]>([
    ['the item', [reasoning, says, user], [1], ['reasoning-parted /input/0']],
    ['the reasoning', [reasoning, says, user], [0], ['reasoning-parted /input/0']],
    ['some of a run', [reasoning, reasoning, says], [0], ['reasoning-parted /input/0']],
    [
      'the item of a run',
      [reasoning, reasoning, says],
      [2],
      ['reasoning-parted /input/0', 'reasoning-parted /input/1'],
    ],
    ['both', [reasoning, says, user], [0, 1], []],
    ['neither', [reasoning, says, user], [2], []],
    ['reasoning that led to nothing', [reasoning, user], [0], []],
    ['what comes later', [reasoning, says, { ...says }], [2], []],
  ])('see a response parted by the loss of %s', (_, input, dropped, expected) => {
    expect(brokenBy(input, { dropped })).toEqual(expected)
    expect(brokenBy(input, { dropped, insertions: [marker(0)] })).toEqual(expected)
  })

  it.each(['compaction', 'compaction_summary'])('see the loss of a %s', (type) => {
    const input = [{ ...compaction, type }, user]
    expect(brokenBy(input, { dropped: [0] })).toEqual(['compaction-lost /input/0'])
    expect(brokenBy(input, { dropped: [1] })).toEqual([])
  })

  it('see a compacted history that is not what it was', () => {
    const after = { input: [{ ...compaction }, user] }
    const found = compareChange(openaiResponses, { input: [compaction, user] }, after, plan({}))
    expect(found.map(({ rule }) => rule)).toEqual(['message-lost', 'compaction-lost'])
  })

  it('see an encrypted text that changed', () => {
    const input = [{ ...says, encrypted_content: 'x' }, user]
    const decisions = plan({ replaced: { 0: { 0: 'b' } } })
    const after = { input: [{ ...says, encrypted_content: 'y' }, user] }
    const found = compareChange(openaiResponses, { input }, after, decisions)
    expect(found.map(({ rule }) => rule)).toEqual(['sealed-changed'])
    expect(brokenBy(input, { replaced: { 0: { 0: 'b' } } })).toEqual([])
  })
})
