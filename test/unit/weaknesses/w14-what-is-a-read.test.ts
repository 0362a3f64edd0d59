/** W14: theirs finds file reads in prose ("thread pool", "spread operator") and misses the real ones. */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import {
  assistant,
  chat,
  compactWith,
  conversation,
  only,
  prose,
  sizeOf,
  stageOf,
  textsOf,
  toolExchange,
  user,
} from '../seeds/support.ts'

async function dedupe(...middle: readonly JsonObject[]) {
  const messages = conversation(user('Look.'), ...middle, ...chat(6, 20))
  const targetTokens = (await sizeOf(messages)) - 1
  const result = await compactWith({ messages, targetTokens, options: only('deduplicate') })
  return { messages, result, texts: textsOf(result.messages) }
}

describe('W14: prose that sounds like a read', () => {
  it.each([
    ['Please read the plan again.', 'I read the plan.'],
    ['We decided on a thread pool of 8.', 'The thread pool is in place.'],
    ['Use the spread operator here.', 'The spread operator copies one level.'],
    ['concat strings with a join, always.', 'I concat strings with a join now.'],
    ['[read_file] src/a.ts', '[read_file] src/a.ts'],
  ])('is nobody’s duplicate: %j', async (first, second) => {
    const padding = prose(60, 'same')
    const { messages, result } = await dedupe(
      assistant(`${first} ${padding}`),
      user('Go on.'),
      assistant(`${second} ${padding}`),
    )
    expect(stageOf(result, 'deduplicate').status).toBe('no-change')
    expect(result.messages).toBe(messages)
  })
})

describe('W14: reads', () => {
  const read = (args: JsonObject, text: string, tool = 'read_file') =>
    toolExchange(tool, args, prose(60, text))
  const superseded = /^\[Superseded/

  it('of different lines of a file are two reads', async () => {
    const { messages, result } = await dedupe(
      ...read({ path: 'a.ts', start: 1, end: 40 }, 'head'),
      ...read({ path: 'a.ts', start: 41, end: 80 }, 'tail'),
    )
    expect(result.messages).toBe(messages)
  })

  it('of a file by two tools are two reads', async () => {
    const { messages, result } = await dedupe(
      ...read({ path: 'a.ts' }, 'text'),
      ...read({ path: 'a.ts' }, 'outline', 'view_outline'),
    )
    expect(result.messages).toBe(messages)
  })

  it.each([
    ['read_file', { path: 'src/a.ts' }],
    ['readFile', { filePath: 'src/a.ts' }],
    ['Read', { file_path: 'src/a.ts' }],
    ['cat', { file: 'src/a.ts' }],
    ['mcp__fs__read_file', { path: 'src/a.ts', start: 1 }],
  ])('by %s are known by their arguments', async (tool, args) => {
    const { texts } = await dedupe(...read(args, 'v1', tool), ...read(args, 'v2', tool))
    expect(texts[2]).toMatch(superseded)
    expect(texts[4]).toBe(prose(60, 'v2'))
  })

  it('with the same arguments in another order are the same read', async () => {
    const { texts } = await dedupe(
      ...read({ path: 'a.ts', start: 1 }, 'v1'),
      ...read({ start: 1, path: 'a.ts' }, 'v2'),
    )
    expect(texts[2]).toMatch(superseded)
  })

  it('are of files: the weather that is fetched twice has two answers', async () => {
    const { messages, result } = await dedupe(
      ...read({ city: 'Bern' }, 'rain', 'get_weather'),
      ...read({ city: 'Bern' }, 'snow', 'get_weather'),
    )
    expect(result.messages).toBe(messages)
  })

  it('that failed make no earlier read superfluous', async () => {
    const [call = {}, result = {}] = read({ path: 'a.ts' }, 'no such file')
    const { messages, result: run } = await dedupe(...read({ path: 'a.ts' }, 'v1'), call, {
      ...result,
      result: { success: false, error: 'ENOENT' },
    })
    expect(run.messages).toBe(messages)
  })
})

describe('W14: results that are the same to the byte', () => {
  it('collapse to the last, whatever the tool and its arguments', async () => {
    const text = prose(60, 'listing')
    const { texts } = await dedupe(
      ...toolExchange('list', { dir: 'a' }, text),
      ...toolExchange('glob', { pattern: '*' }, text),
    )
    expect(texts[2]).toBe('[Superseded: the same result came again later]')
    expect(texts[4]).toBe(text)
  })

  it('collapse in OpenAI’s format too, the arguments being a text there', async () => {
    const turn = (id: string, output: string): JsonObject[] => [
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id, type: 'function', function: { name: 'read_file', arguments: '{"path": "a.ts"}' } },
        ],
      },
      { role: 'tool', tool_call_id: id, content: prose(60, output) },
    ]
    const messages = [user('Look.'), ...turn('c1', 'v1'), ...turn('c2', 'v2'), ...chat(6, 20)]
    const base = { format: 'openai-chat', messages, options: only('deduplicate') } as const
    const { tokensBefore } = (await compactWith({ ...base, targetTokens: 1e9 })).report
    const result = await compactWith({ ...base, targetTokens: tokensBefore - 1 })
    expect(textsOf(result.messages)[2]).toMatch(superseded)
    expect(result.messages[4]).toBe(messages[4])
  })
})

const superseded = /^\[Superseded/
