import { describe, expect, it } from 'vitest'
import type { CompactRequest } from '../../../src/conversation/request.ts'
import type { ConversationServices } from '../../../src/conversation/services.ts'
import { DEFAULT_LOW_WATER } from '../../../src/conversation/steps/settings.ts'
import { createStepMemo } from '../../../src/conversation/steps/step-memo.ts'
import type { DecidePort } from '../../../src/engine/ports.ts'
import { compactWithin } from '../../../src/proxy/compact-within.ts'
import { createMetrics } from '../../../src/telemetry/metrics.ts'
import { createTokenCounters } from '../../../src/tokens/token-counter.ts'
import { createWindowTable } from '../../../src/tokens/windows.ts'
import { REQUESTS } from '../../helpers/proxy/conversations.ts'

/** A model that neither answers nor hears that it is told to stop. */
const deaf: DecidePort = {
  traits: {
    wire: 'deaf',
    model: 'deaf-1',
    order: 'oldest-first',
    riskBudget: undefined,
    maxQuestions: 300,
    sites: new Set(['relevance']),
  },
  decide: () => new Promise<never>(() => {}),
}

function optionsWith(deadlineMs: number, decide: DecidePort | undefined) {
  const conversation: ConversationServices = {
    counters: createTokenCounters({ cacheBytes: 1_000_000 }),
    windows: createWindowTable(),
    decide,
    summarize: undefined,
    defaultProfile: 'neurolink',
    defaultOptions: undefined,
    lowWater: DEFAULT_LOW_WATER,
    stepMemo: createStepMemo(0),
    maxMessages: 100_000,
  }
  return { conversation, metrics: createMetrics(), deadlineMs }
}

const request = {
  ...REQUESTS['openai-chat'].body(60),
  format: 'openai-chat',
  targetTokens: 4_000,
} as unknown as CompactRequest

describe('a compaction with a deadline', () => {
  it('is given up on when what it waits for heeds no signal', async () => {
    const failures: unknown[] = []
    const { signal } = new AbortController()
    const call = { signal, onFailure: (error: unknown) => failures.push(error) }
    expect(await compactWithin(request, call, optionsWith(200, deaf))).toBe('deadline')
    expect(failures).toEqual([])
  })

  it('throws when the caller leaves, whatever it waits for', async () => {
    const caller = new AbortController()
    const call = { signal: caller.signal, onFailure: () => {} }
    const work = compactWithin(request, call, optionsWith(60_000, deaf))
    setTimeout(() => caller.abort(new Error('left')), 50)
    await expect(work).rejects.toThrow('left')
  })

  it('fails open on a bug, and reports it', async () => {
    const failures: unknown[] = []
    const { signal } = new AbortController()
    const options = optionsWith(5_000, undefined)
    const counters = {
      ...options.conversation.counters,
      forModel: () => {
        throw new TypeError('a bug')
      },
    }
    const broken = { ...options, conversation: { ...options.conversation, counters } }
    const call = { signal, onFailure: (error: unknown) => failures.push(error) }
    expect(await compactWithin(request, call, broken)).toBe('failed')
    expect(failures).toEqual([expect.objectContaining({ message: 'a bug' })])
  })
})
