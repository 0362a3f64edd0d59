import { describe, expect, it } from 'vitest'
import { compact } from '../../../src/engine/compact.ts'
import { markerText } from '../../../src/engine/marker.ts'
import { resolveOptions } from '../../../src/engine/options.ts'
import { fakePorts } from '../../helpers/fake-ports.ts'
import {
  assistant,
  buildTranscript,
  type EntrySpec,
  marker,
  ofTokens,
  user,
} from '../../helpers/transcript-builder.ts'

const chat = (count: number): EntrySpec[] =>
  Array.from({ length: count }, (_, number) =>
    number % 2 === 0 ? user(ofTokens(96, `q${number}`)) : assistant(ofTokens(96, `a${number}`)),
  )

const SPECS = [user('task'), marker(7), ...chat(20), user('now')]

function run(specs: readonly EntrySpec[], frozen: number, target = 1_200) {
  const transcript = buildTranscript(specs)
  return compact(
    {
      transcript,
      target,
      options: resolveOptions('neurolink', { protectRecent: 2, relevance: { enabled: false } }),
      currentRequest: null,
      pins: new Set(),
      frozen,
      explain: 'all',
    },
    fakePorts(),
  )
}

describe('compact with frozen entries', () => {
  it('leaves the first ones as they are, a marker among them, and puts its own marker behind', async () => {
    const { plan, outcome } = await run(SPECS, 6)
    expect(outcome).toBe('compacted')
    expect(Math.min(...plan.dropped)).toBeGreaterThanOrEqual(6)
    expect([...plan.replaced.keys()].filter((entry) => entry < 6)).toEqual([])
    expect(plan.insertions).toMatchObject([
      { before: 6, covers: plan.dropped.size, text: markerText(plan.dropped.size) },
    ])
  })

  it('takes the marker in where nothing is frozen', async () => {
    const { plan } = await run(SPECS, 0)
    expect(plan.dropped.has(1)).toBe(true)
    expect(plan.insertions).toMatchObject([{ before: 1, covers: plan.dropped.size - 1 + 7 }])
  })

  it('changes nothing where what is frozen is over the target', async () => {
    const report = await run(SPECS, SPECS.length)
    expect(report).toMatchObject({ outcome: 'unchanged', fits: false })
    expect(report.warnings.map(({ code }) => code)).toContain('budget-unreachable')
  })
})
