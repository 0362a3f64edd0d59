import { describe, expect, test } from 'vitest'
import { leaveTimeForSummary, linkDeadline } from '../../../src/decide/link-deadline.ts'
import { restrictSites } from '../../../src/decide/restrict-sites.ts'
import { gateRequest, relevanceRequest } from '../../helpers/decide-servers/relevance-request.ts'
import { createFakeDecider, LOCAL_TRAITS } from '../../helpers/fake-decider.ts'

const remote = createFakeDecider('systemone')
const local = createFakeDecider('embedded', { traits: LOCAL_TRAITS })

describe('the deadline of one model of a chain', () => {
  test.each([
    ['all of it for the last', [], 10_000],
    ['half of it before another over the network', [remote], 5_500],
    ['a third before two of them', [remote, remote], 4_000],
    ['nearly all of it before one in this process', [local], 9_500],
    ['what the reserve leaves, shared', [remote, local], 5_250],
  ] as const)('is %s', (_, after, expected) => {
    expect(linkDeadline(10_000, 1_000, after)).toBeCloseTo(expected, -1)
  })

  test('keeps a tenth for a model in this process, where that is less than half a second', () => {
    expect(linkDeadline(1_000, 0, [local])).toBe(900)
    expect(linkDeadline(20_000, 0, [local])).toBe(19_500)
  })

  test('is none where the call has none, and now where it has passed', () => {
    expect(linkDeadline(undefined, 0, [remote])).toBeUndefined()
    expect(linkDeadline(1_000, 2_000, [remote])).toBe(2_000)
  })
})

describe('time for the summary', () => {
  test('is half of what stage 0 finds', async () => {
    const model = createFakeDecider('systemone', { answer: () => 0.9 })
    const port = leaveTimeForSummary(model, () => 2_000)
    await port.decide({ ...relevanceRequest(['a']), deadlineAt: 10_000 })
    await port.decide(relevanceRequest(['a']))
    expect(model.requests.map(({ deadlineAt }) => deadlineAt)).toEqual([6_000, undefined])
  })

  test('is not kept from the gate, after which nothing follows', async () => {
    const model = createFakeDecider('systemone', { answer: () => 0.9 })
    const port = leaveTimeForSummary(model, () => 2_000)
    await port.decide({ ...gateRequest(), deadlineAt: 10_000 })
    expect(model.requests.map(({ deadlineAt }) => deadlineAt)).toEqual([10_000])
  })
})

describe('restricted sites', () => {
  test('are those that are asked for and answered', () => {
    expect(restrictSites(remote, ['summary-gate']).traits.sites).toEqual(new Set(['summary-gate']))
    expect(restrictSites(local, ['relevance', 'summary-gate']).traits.sites).toEqual(
      new Set(['relevance']),
    )
  })
})
