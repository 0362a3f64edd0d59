import { describe, expect, it } from 'vitest'
import type { CompactRequest } from '../../../src/conversation/request.ts'
import { fakeSummarizer } from '../../helpers/fake-ports.ts'
import {
  askedMessages,
  assistant,
  chat,
  compactWith,
  conversation,
  goneIds,
  judge,
  only,
  prose,
  sizeOf,
  stageOf,
  toolExchange,
  user,
} from './support.ts'

/** Long talk of migrations, some tool output, and a request that is about neither. */
const MESSAGES = conversation(
  user('Help me with the billing service.'),
  ...toolExchange('run_migration', { step: 1 }, prose(400, 'migration log')),
  ...toolExchange('read_file', { path: 'a.sql' }, prose(300, 'first read')),
  ...toolExchange('read_file', { path: 'a.sql' }, prose(300, 'second read')),
  ...chat(40),
  assistant('The variable is called `uid` in session.ts.'),
  user('Now rename that variable to `userId` everywhere.'),
)
const SIZE = await sizeOf(MESSAGES)

const OPTIONS = {
  prune: { protectTokens: 600, minimumSavings: 0 },
} satisfies CompactRequest['options']

describe('seed 0: what stage 0 is for', () => {
  it('drops the talk that the current request has nothing to do with and keeps what it needs', async () => {
    const decide = judge(0.95, Object.fromEntries([...Array(30).keys()].map((i) => [i + 7, 0.02])))
    const result = await compactWith(
      { messages: MESSAGES, targetTokens: SIZE - 1000, options: only('relevance') },
      { decide },
    )
    expect(result.report.stagesUsed).toEqual(['relevance'])
    expect(result.report.fits).toBe(true)
    const gone = goneIds(MESSAGES, result)
    // 36 are eligible: all but the task, the tools' and the newest six; half of them may go.
    expect(gone).toEqual([...Array(18).keys()].map((index) => `m${index + 7}`))
  })

  it('asks about every eligible message in one round trip', async () => {
    const decide = judge(0.9)
    await compactWith({ messages: MESSAGES, targetTokens: SIZE - 1 }, { decide })
    expect(decide.requests).toHaveLength(1)
    expect(askedMessages(decide)).toEqual([...Array(36).keys()].map((index) => index + 7))
  })

  it('takes the last user message for the current request when the caller names none', async () => {
    const decide = judge(0.9)
    await compactWith({ messages: MESSAGES, targetTokens: SIZE - 1 }, { decide })
    expect(decide.requests[0]?.state.fields.current_request).toBe(
      'Now rename that variable to `userId` everywhere.',
    )
  })

  it('judges by the request that the caller names', async () => {
    const decide = judge(0.9)
    const currentRequest = 'Which migration failed?'
    await compactWith({ messages: MESSAGES, targetTokens: SIZE - 1, currentRequest }, { decide })
    expect(decide.requests[0]?.state.fields.current_request).toBe(currentRequest)
  })
})

describe('seed 0: the degradation contract', () => {
  const summary = `1. Primary Request and Intent: ${prose(40, 'summary')}`

  async function run(request: Partial<CompactRequest>, hasDecide: boolean, hasSummariser: boolean) {
    const decide = judge(0.01)
    const result = await compactWith(
      { messages: MESSAGES, targetTokens: 1400, options: OPTIONS, ...request },
      {
        decide: hasDecide ? decide : undefined,
        summarize: hasSummariser ? fakeSummarizer([summary]) : undefined,
      },
    )
    const { stages } = result.report
    return { decide, result, later: stages.filter(({ stage }) => stage !== 'relevance') }
  }

  const switchedOff = { options: { ...OPTIONS, relevance: { enabled: false } } }

  it.each([
    ['there is no decide model', {}, false, 'no-decide-model'],
    ['there is no current request', { currentRequest: null }, true, 'no-current-request'],
    ['the current request is blank', { currentRequest: ' \n' }, true, 'no-current-request'],
  ] as const)(
    'runs the other stages as if stage 0 did not exist when %s',
    async (_, request, hasDecide, reason) => {
      for (const hasSummariser of [false, true]) {
        const without = await run(switchedOff, true, hasSummariser)
        expect(without.result.report.stagesUsed).toEqual([
          'prune',
          'deduplicate',
          hasSummariser ? 'summarize' : 'truncate',
        ])
        const { decide, result, later } = await run(request, hasDecide, hasSummariser)
        expect(decide.requests).toEqual([])
        expect(stageOf(result, 'relevance')).toMatchObject({ status: 'skipped', reason })
        expect(later).toEqual(without.later)
        expect(result.messages).toEqual(without.result.messages)
      }
    },
  )

  it('leaves a conversation within its target alone, however irrelevant its history', async () => {
    const decide = judge(0.01)
    const result = await compactWith({ messages: MESSAGES, targetTokens: SIZE }, { decide })
    expect(decide.requests).toEqual([])
    expect(result.report.outcome).toBe('unchanged')
    expect(result.messages).toBe(MESSAGES)
    expect(new Set(result.report.stages.map(({ status }) => status))).toEqual(
      new Set(['not-needed', 'disabled']),
    )
  })

  it('runs with all three: one token over the target is enough', async () => {
    const decide = judge(0.01)
    const result = await compactWith({ messages: MESSAGES, targetTokens: SIZE - 1 }, { decide })
    expect(result.report.stagesUsed).toEqual(['relevance'])
  })
})
