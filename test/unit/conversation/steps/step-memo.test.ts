import { describe, expect, it } from 'vitest'
import {
  createStepMemo,
  firstKey,
  nextKey,
  planValue,
  type RememberedStep,
} from '../../../../src/conversation/steps/step-memo.ts'
import { toRemember } from '../../../../src/conversation/steps/step-report.ts'
import type { Plan } from '../../../../src/engine/edit.ts'
import type { Action, CompactionReport } from '../../../../src/engine/report.ts'

const floor = {
  tokens: 1,
  instructions: 0,
  tools: 0,
  framing: 1,
  pins: {},
  protectedTail: 0,
  marker: 0,
}

const planOf = (over: Partial<Plan> = {}): Plan => ({
  dropped: new Set([1]),
  replaced: new Map(),
  insertions: [],
  ...over,
})

function stepOf(plan: Plan, actions: readonly Action[] = []): RememberedStep {
  return {
    plan,
    report: {
      tokensAfter: 1,
      floor,
      stages: [],
      drops: [],
      warnings: [],
      actions,
      probabilities: [],
    },
  }
}

describe('createStepMemo', () => {
  it('gives back what it was given under that key alone', () => {
    const memo = createStepMemo(100_000)
    const step = stepOf(planOf())
    memo.set('a', step)
    expect(memo.get('a')).toBe(step)
    expect(memo.get('b')).toBeUndefined()
  })

  it('remembers nothing within no bytes', () => {
    const memo = createStepMemo(0)
    memo.set('a', stepOf(planOf()))
    expect(memo.get('a')).toBeUndefined()
  })

  it('lets go of what was asked for longest ago once it is full', () => {
    const memo = createStepMemo(6_000)
    for (const key of 'abcde') memo.set(key, stepOf(planOf()))
    memo.get('a')
    memo.set('f', stepOf(planOf()))
    expect([...'abcdef'].filter((key) => memo.get(key) !== undefined).join('')).toBe('acdef')
  })

  it.each([
    [
      'texts that take the place of others',
      planOf({ replaced: new Map([[0, new Map([[0, 'x'.repeat(3_000)]])]]) }),
    ],
    [
      'texts that are put in',
      planOf({
        insertions: [
          { kind: 'summary', before: 0, role: 'user', text: 'x'.repeat(3_000), covers: 1 },
        ],
      }),
    ],
    ['many drops', planOf({ dropped: new Set(Array.from({ length: 100 }, (_, index) => index)) })],
  ])('counts %s, so that they do not outgrow it', (_, plan) => {
    const memo = createStepMemo(7_500)
    memo.set('small', stepOf(planOf()))
    memo.set('large', stepOf(plan))
    expect(memo.get('small')).toBeUndefined()
  })

  it('does not hold what is larger than all of it', () => {
    const memo = createStepMemo(4_000)
    memo.set('small', stepOf(planOf()))
    memo.set(
      'large',
      stepOf(planOf({ replaced: new Map([[0, new Map([[0, 'x'.repeat(9_000)]])]]) })),
    )
    expect(memo.get('large')).toBeUndefined()
    expect(memo.get('small')).toBeDefined()
  })
})

describe('keys of steps', () => {
  const start = firstKey({ target: 100 })
  const message = { role: 'user', content: [{ type: 'text', text: 'Hello.' }] }
  const marked = {
    role: 'user',
    content: [{ type: 'text', text: 'Hello.', cache_control: { type: 'ephemeral' } }],
    cache_control: { type: 'ephemeral' },
  }

  it('are the same for the same, and differ by settings, messages and their order', () => {
    const keys = [
      start,
      firstKey({ target: 101 }),
      nextKey(start, [message]),
      nextKey(start, [message, message]),
      nextKey(start, [message, 'x']),
      nextKey(start, ['x', message]),
      nextKey(nextKey(start, [message]), ['x']),
    ]
    expect(new Set(keys).size).toBe(keys.length)
    expect(nextKey(firstKey({ target: 100 }), [{ ...message }])).toBe(nextKey(start, [message]))
  })

  it('leave out marks that move along', () => {
    expect(nextKey(start, [marked])).toBe(nextKey(start, [message]))
  })

  it('do not leave out words about marks', () => {
    const said = (content: string) => nextKey(start, [{ role: 'user', content }])
    expect(said('"cache_control":1')).not.toBe(said('"cache_control":2'))
  })

  it('differ by every member of a plan', () => {
    const insertion = { kind: 'marker', before: 1, role: 'user', text: 'x', covers: 1 } as const
    const plans = [
      planOf(),
      planOf({ dropped: new Set([2]) }),
      planOf({ replaced: new Map([[0, new Map([[0, 'x']])]]) }),
      planOf({ replaced: new Map([[0, new Map([[1, 'x']])]]) }),
      planOf({ replaced: new Map([[0, new Map([[0, 'y']])]]) }),
      planOf({ insertions: [insertion] }),
      planOf({ insertions: [{ ...insertion, before: 2 }] }),
      planOf({ insertions: [{ ...insertion, role: 'assistant' }] }),
      planOf({ insertions: [{ ...insertion, text: 'y' }] }),
    ]
    const keys = plans.map((plan) => nextKey(start, [planValue(plan)]))
    expect(new Set(keys).size).toBe(plans.length)
  })
})

describe('toRemember', () => {
  it('leaves out what models said and what was kept', () => {
    const kept: Action = {
      index: 0,
      action: 'kept',
      reason: 'instructions',
      tokensBefore: 1,
      tokensAfter: 1,
    }
    const dropped: Action = {
      index: 1,
      stage: 'truncate',
      action: 'dropped',
      reason: 'oldest',
      tokensBefore: 1,
      tokensAfter: 0,
    }
    const report: CompactionReport = {
      ...stepOf(planOf(), [kept, dropped]).report,
      outcome: 'compacted',
      fits: true,
      stagesUsed: ['truncate'],
      tokensBefore: 2,
      target: 1,
      bytes: undefined,
      probabilities: [0.1],
      plan: planOf(),
      summary: { accepted: true, covers: 1, rounds: 1, tokens: 1, model: 'writer-1', latencyMs: 1 },
    }
    const remembered = toRemember(report)
    expect(remembered.actions).toEqual([dropped])
    expect(remembered.probabilities).toEqual([])
    expect(remembered.summary).toBeUndefined()
    expect(remembered.relevance).toBeUndefined()
  })
})
