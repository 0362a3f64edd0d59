import { describe, expect, it } from 'vitest'
import { findChanges } from '../../helpers/wire-rules/index.ts'

const user = { role: 'user', content: 'Please look.' }
const thought = (id: string) => ({
  type: 'reasoning',
  id,
  summary: [],
  encrypted_content: `gAAAA${id}`,
})
const call = { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' }
const output = { type: 'function_call_output', call_id: 'a', output: 'a long output' }
const said = { role: 'assistant', content: 'Done.' }
const picture = { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'iVBO' }
const compaction = { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAA' }

const BEFORE = [
  compaction,
  user,
  thought('r'),
  thought('s'),
  call,
  output,
  picture,
  thought('t'),
  said,
  user,
]

const changes = (after: unknown[], before: unknown[] = BEFORE) =>
  findChanges('openai-responses', { input: before }, { input: after })

describe('findChanges of openai responses', () => {
  it.each<[string, unknown[]]>([
    ['nothing changed', BEFORE],
    [
      'a thought is gone with what it led to',
      [compaction, user, picture, thought('t'), said, user],
    ],
    ['all that may go is gone', [compaction, user]],
    ['an output was shortened', replaced(output, { ...output, output: 'cleared' })],
    ['what was said after a thought was shortened', replaced(said, { ...said, content: 'D.' })],
    ['a summary came in', [compaction, { role: 'user', content: 'Summary.' }, ...BEFORE.slice(1)]],
    ['a string is what it was', []],
  ])('finds nothing where %s', (title, after) => {
    if (title.startsWith('a string')) {
      expect(findChanges('openai-responses', { input: 'x' }, { input: 'x' })).toEqual([])
    } else {
      expect(changes(after)).toEqual([])
    }
  })

  it.each<[string, unknown[], string, string]>([
    [
      'a call lost its thoughts',
      without(thought('r'), thought('s')),
      'reasoning-parted',
      '/input/2',
    ],
    ['a call lost one of two thoughts', without(thought('s')), 'reasoning-parted', '/input/2'],
    ['thoughts lost their call', without(call, output), 'reasoning-parted', '/input/2'],
    ['a text lost its thought', without(thought('t')), 'reasoning-parted', '/input/7'],
    ['a thought lost its text', without(said), 'reasoning-parted', '/input/7'],
    [
      'something came between a thought and its text',
      BEFORE.flatMap((item) => (item === said ? [user, said] : [item])),
      'reasoning-parted',
      '/input/7',
    ],
    ['a compaction is gone', without(compaction), 'compaction-lost', '/input/0'],
    [
      'a picture was altered',
      replaced(picture, { ...picture, result: '' }),
      'sealed-changed',
      '/input/6',
    ],
    [
      'an encrypted text was altered',
      replaced(thought('t'), { ...thought('t'), encrypted_content: '' }),
      'sealed-changed',
      '/input/7',
    ],
  ])('finds that %s', (_, after, rule, pointer) => {
    expect(changes(after)).toEqual([{ rule, pointer }])
  })

  it('finds that a compaction was altered', () => {
    expect(changes(replaced(compaction, { ...compaction, encrypted_content: 'g' }))).toEqual([
      { rule: 'compaction-lost', pointer: '/input/0' },
      { rule: 'sealed-changed', pointer: '/input/0' },
    ])
  })

  it('tells a bare text that was there before from one that lost its thought', () => {
    const before = [user, said, user, thought('t'), said, user]
    expect(changes([user, said, user], before)).toEqual([])
    expect(changes([user, said, user, said, user], before)).toEqual([
      { rule: 'reasoning-parted', pointer: '/input/3' },
    ])
  })
})

function without(...gone: unknown[]): unknown[] {
  const texts = gone.map((item) => JSON.stringify(item))
  return BEFORE.filter((item) => !texts.includes(JSON.stringify(item)))
}

function replaced(item: unknown, by: unknown): unknown[] {
  const text = JSON.stringify(item)
  return BEFORE.map((other) => (JSON.stringify(other) === text ? by : other))
}
