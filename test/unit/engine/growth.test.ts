import { describe, expect, it } from 'vitest'
import { prepareChange } from '../../../src/engine/change.ts'
import type { Edit } from '../../../src/engine/edit.ts'
import type { Groups } from '../../../src/engine/groups.ts'
import { collapse } from '../../../src/engine/stages/collapse.ts'
import { relevance } from '../../../src/engine/stages/relevance.ts'
import { summarize } from '../../../src/engine/stages/summarize.ts'
import { isPoorer } from '../../../src/engine/summary/checks.ts'
import { droppableUnits } from '../../../src/engine/units.ts'
import { fakeDecide, fakePorts, fakeSummarizer } from '../../helpers/fake-ports.ts'
import { TIMED } from '../../helpers/timed.ts'
import { buildTranscript, calling, returning, user } from '../../helpers/transcript-builder.ts'
import { stageInput } from './stage-input.ts'

const RESULTS = 1_000

/** One message that calls so many tools at once: a single group of 1,001 messages. */
const FAN_OUT = [
  user('task'),
  calling(Array.from({ length: RESULTS }, (_, index) => ({ callId: `c${index}` }))),
  ...Array.from({ length: RESULTS }, (_, index) => returning(`c${index}`, `result ${index}`)),
  user('now'),
]

/** Groups that count every read of a member. */
function countingGroups(groups: Groups) {
  const reads = { count: 0 }
  const members = new Map(
    [...groups.members].map(([group, list]) => [
      group,
      new Proxy(list, {
        get: (target, key, receiver) => {
          if (typeof key === 'string' && /^\d+$/.test(key)) reads.count += 1
          return Reflect.get(target, key, receiver)
        },
      }),
    ]),
  )
  return { reads, groups: { ...groups, members } }
}

function countingInput(options: Parameters<typeof stageInput>[1]['options'] = {}) {
  const input = stageInput(buildTranscript(FAN_OUT), {
    target: 500,
    currentRequest: 'now',
    options,
  })
  const { reads, groups } = countingGroups(input.groups)
  return { reads, input: { ...input, groups } }
}

describe('the work on a thousand parallel calls', () => {
  it('closes the drop of every one of them with a few reads of each', () => {
    const { reads, input } = countingInput()
    const edits = FAN_OUT.map((_, entry): Edit => ({ op: 'drop', entry, reason: 'oldest' }))
    const { change } = prepareChange('truncate', edits, 'truncated', {
      ...input,
      ports: fakePorts(),
    })
    expect(change.drops.size).toBe(RESULTS + 1)
    expect(reads.count).toBeLessThan(10 * RESULTS)
  })

  it('refuses to drop any of them with a few reads of each, where one is pinned', () => {
    const { reads, input } = countingInput()
    const protection = {
      ...input.protection,
      level: (entry: number) => (entry === RESULTS + 1 ? 'fixed' : 'free') as 'fixed' | 'free',
    }
    const edits = FAN_OUT.map((_, entry): Edit => ({ op: 'drop', entry, reason: 'oldest' }))
    const context = { ...input, protection, ports: fakePorts() }
    expect(prepareChange('truncate', edits, 'truncated', context).change.drops.has(2)).toBe(false)
    expect(reads.count).toBeLessThan(10 * RESULTS)
  })

  it('collapses, summarises, judges and truncates with a few reads of each', async () => {
    const ports = fakePorts({
      decide: fakeDecide({ relevance: {} }),
      summarize: fakeSummarizer(['gist']),
    })
    const options = {
      collapse: { keepRecent: 2 },
      summarize: { keepRecentRatio: 0.1 },
      relevance: { toolExchanges: 'drop' },
    } as const
    const { reads, input } = countingInput(options)
    collapse(input)
    await summarize(input, ports)
    await relevance(input, ports)
    droppableUnits(input)
    expect(reads.count).toBeGreaterThan(RESULTS)
    expect(reads.count).toBeLessThan(30 * RESULTS)
  })
})

describe('the work of comparing two summaries', () => {
  const rules = (count: number) =>
    Array.from({ length: count }, (_, index) => `rule ${index} holds`)
  const summary = (lines: readonly string[]) =>
    `10. Constraints and Established Rules\n${lines.join('\n')}`

  function processorTime(count: number): number {
    const previous = summary(rules(count))
    const text = summary(rules(count).reverse())
    const times = Array.from({ length: 3 }, () => {
      const before = process.cpuUsage()
      expect(isPoorer(text, previous)).toBe(false)
      const { user: time } = process.cpuUsage(before)
      return time
    })
    return Math.min(...times)
  }

  it('takes less than 30 times as long for ten times as many constraints', TIMED, () => {
    processorTime(1_000)
    // The clock of the processor may be too coarse to see the smaller run at all.
    const small = Math.max(1_000, processorTime(1_000))
    expect(processorTime(10_000) / small).toBeLessThan(30)
  })
})
