/**
 * What NeuroLink's tests assert of its repair of tool pairs. Precis invents no half of a pair
 * (docs/decisions/0007-peers-assertions.md): what is healthy stays so through every cut, and what
 * came broken is reported and left.
 */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { fakeSummarizer } from '../../helpers/fake-ports.ts'
import { findFaults } from '../../helpers/wire-rules/index.ts'
import {
  assistant,
  chat,
  compactWith,
  conversation,
  idsOf,
  only,
  prose,
  sizeOf,
  toolExchange,
  user,
} from '../seeds/support.ts'

const call = (toolCallId?: string): JsonObject => ({
  role: 'tool_call',
  content: '',
  tool: 'run',
  ...(toolCallId !== undefined && { toolCallId }),
})
const result = (content: string, toolCallId?: string): JsonObject => ({
  role: 'tool_result',
  content,
  tool: 'run',
  ...(toolCallId !== undefined && { toolCallId }),
})

const warningsOf = async (messages: JsonObject[]) => {
  const run = await compactWith({ messages, targetTokens: 100_000 })
  expect(run.messages).toBe(messages)
  return run.report.warnings.map(({ code }) => code)
}

describe('a healthy conversation', () => {
  it.each<[string, readonly JsonObject[]]>([
    ['of text alone', chat(4)],
    ['of a call and its result', [call(), result('ok')]],
    ['of parallel calls without ids', [call(), call(), result('one'), result('two')]],
    ['of parallel calls with ids', [call('a'), call('b'), result('one', 'a'), result('two', 'b')]],
    [
      'of five parallel calls',
      [...'abcde'].map((id) => call(id)).concat([...'abcde'].map((id) => result(id, id))),
    ],
    ['of results out of order', [call('a'), call('b'), result('two', 'b'), result('one', 'a')]],
    ['of a result without content', [call('a'), result('', 'a')]],
    ['of two batches in a row', [call('a'), result('one', 'a'), call('b'), result('two', 'b')]],
    ['of a call that is still pending', [call('a')]],
  ])('%s is returned as the same array, without a warning', async (_, middle) => {
    const pending = middle.at(-1)?.role === 'tool_call'
    const rest = pending ? [] : [assistant('Done.')]
    expect(await warningsOf(conversation(user('Run it.'), ...middle, ...rest))).toEqual([])
  })
})

describe('a conversation that came broken', () => {
  it.each<[string, readonly JsonObject[], readonly string[]]>([
    ['a call without a result', [call()], ['unanswered-tool-call']],
    [
      'a missing result of three',
      [call('a'), call('b'), call('c'), result('1', 'a'), result('3', 'c')],
      ['unanswered-tool-call'],
    ],
    ['a result whose call was cut off', [result('ok', 'a')], ['orphan-tool-result']],
    [
      'two calls without results',
      [call('a'), call('b')],
      ['unanswered-tool-call', 'unanswered-tool-call'],
    ],
    [
      'two results of one call',
      [call('a'), result('1', 'a'), result('2', 'a')],
      ['duplicate-tool-result'],
    ],
    [
      'several orphans',
      [call('a'), assistant('Hm.'), result('x', 'b'), assistant('Hm.'), call('c')],
      ['orphan-tool-result', 'unanswered-tool-call', 'unanswered-tool-call'],
    ],
  ])('by %s is left as it is, with a warning for each', async (_, middle, codes) => {
    const messages = conversation(user('Run it.'), ...middle, assistant('Done.'), user('Go on.'))
    expect((await warningsOf(messages)).sort()).toEqual(codes)
  })

  it('of no messages at all is refused', async () => {
    await expect(compactWith({ messages: [] })).rejects.toMatchObject({
      code: 'empty-conversation',
    })
  })
})

/** Text, single exchanges, parallel batches with and without ids, text between. */
function mixedHistory(): JsonObject[] {
  const batch = (label: string, width: number, hasIds: boolean): JsonObject[] => {
    const ids = Array.from({ length: width }, (_, index) =>
      hasIds ? `${label}${index}` : undefined,
    )
    return [...ids.map(call), ...ids.map((id, index) => result(prose(30, `${label}${index}`), id))]
  }
  return conversation(
    ...batch('first', 2, true),
    user('Fix it.'),
    ...Array.from({ length: 8 }, (_, round) => [
      ...batch(`one${round}`, 1, true),
      ...batch(`wide${round}`, 5, round % 2 === 0),
      assistant(prose(20, `report${round}`)),
      user(prose(20, `next${round}`)),
    ]).flat(),
  )
}

describe('for every place at which a mixed history may be cut', () => {
  const messages = mixedHistory()

  async function cutEverywhere(run: (targetTokens: number) => ReturnType<typeof compactWith>) {
    const size = await sizeOf(messages)
    const lengths = new Set<number>()
    for (let target = size; target > size * 0.15; target -= 40) {
      const { messages: returned, report } = await run(target)
      const left = returned as JsonObject[]
      expect(findFaults('neurolink', { messages: left })).toEqual([])
      const count = (role: string) => left.filter((message) => message.role === role).length
      expect(count('tool_call')).toBe(count('tool_result'))
      expect(report.warnings.map(({ code }) => code)).not.toContain('invariant-violation')
      lengths.add(left.length)
    }
    return lengths
  }

  it('truncation leaves no orphan, and as many calls as results', async () => {
    const lengths = await cutEverywhere((targetTokens) =>
      compactWith({ messages, targetTokens, options: only('truncate') }),
    )
    // Between two batches there is a place to cut: a result may be followed by the next call.
    expect(lengths.size).toBeGreaterThan(8)
  })

  it('a summary swallows no half of a batch', async () => {
    const lengths = await cutEverywhere((targetTokens) =>
      compactWith(
        { messages, targetTokens, options: only('summarize') },
        { summarize: fakeSummarizer(['1. Primary Request and Intent: fix it.']) },
      ),
    )
    expect(lengths.size).toBeGreaterThan(2)
  })
})

describe('a history of tools alone', () => {
  it('is never swallowed whole', async () => {
    const messages = conversation(
      user('Run it.'),
      ...Array.from({ length: 20 }, (_, step) =>
        toolExchange('run', { step }, prose(60, `output${step}`)),
      ).flat(),
    )
    for (const options of [only('truncate'), only('summarize')]) {
      const result = await compactWith(
        { messages, targetTokens: Math.floor((await sizeOf(messages)) * 0.4), options },
        { summarize: fakeSummarizer(['1. Primary Request and Intent: run it.']) },
      )
      expect(result.report.outcome).toBe('compacted')
      expect(idsOf(result.messages).slice(-6)).toEqual(idsOf(messages).slice(-6))
    }
  })
})
