import { describe, expect, it } from 'vitest'
import { type CompactInput, compact } from '../../../src/engine/compact.ts'
import { markerText } from '../../../src/engine/marker.ts'
import { type OptionOverrides, resolveOptions } from '../../../src/engine/options.ts'
import type { Ports } from '../../../src/engine/ports.ts'
import { fakeDecide, fakePorts, fakeSummarizer } from '../../helpers/fake-ports.ts'
import {
  assistant,
  buildTranscript,
  type EntrySpec,
  exchange,
  instructions,
  marker,
  ofTokens,
  type TranscriptSpec,
  user,
} from '../../helpers/transcript-builder.ts'

interface Setting extends Partial<Omit<CompactInput, 'transcript' | 'options' | 'target'>> {
  readonly target: number
  readonly options?: OptionOverrides
  readonly ports?: Partial<Ports>
  readonly transcript?: TranscriptSpec
}

function run(specs: readonly EntrySpec[], setting: Setting) {
  const { target, options, ports, transcript, ...over } = setting
  return compact(
    {
      transcript: buildTranscript(specs, transcript),
      target,
      options: resolveOptions('neurolink', { protectRecent: 2 }, options),
      currentRequest: undefined,
      pins: new Set(),
      explain: 'changed',
      ...over,
    },
    fakePorts(ports),
  )
}

const CHAT = [
  instructions(ofTokens(46, 'rules')),
  user(ofTokens(46, 'task')),
  ...Array.from({ length: 10 }, (_, index) => assistant(ofTokens(96, `m${index}`))),
  user('now'),
]
const TOTAL = 50 + 50 + 1_000 + 5

describe('compact', () => {
  it.each([TOTAL, TOTAL + 1])('changes nothing at a target of %d', async (target) => {
    const report = await run(CHAT, { target, explain: 'all' })
    expect(report).toMatchObject({
      outcome: 'unchanged',
      fits: true,
      stagesUsed: [],
      tokensBefore: TOTAL,
      tokensAfter: TOTAL,
      drops: [],
      warnings: [],
    })
    expect(report.actions.every(({ action }) => action === 'kept')).toBe(true)
  })

  it('brings a conversation to its target, and says what it took', async () => {
    const report = await run(CHAT, { target: 600 })
    expect(report).toMatchObject({
      outcome: 'compacted',
      fits: true,
      stagesUsed: ['truncate'],
      target: 600,
      drops: [{ stage: 'truncate', reason: 'oldest', count: 6 }],
    })
    expect(report.tokensAfter).toBeLessThanOrEqual(600)
    expect(report.plan.insertions).toMatchObject([{ before: 2, text: markerText(6), covers: 6 }])
  })

  it('destroys nothing for nothing where the floor is above the target', async () => {
    const decide = fakeDecide({
      relevance: Object.fromEntries(CHAT.map((_, n) => [`msg__${n}`, 0])),
    })
    const summarize = fakeSummarizer(['gist'])
    const report = await run(CHAT, { target: 150, ports: { decide, summarize } })
    expect(report).toMatchObject({
      outcome: 'unchanged',
      fits: false,
      tokensAfter: TOTAL,
      stagesUsed: [],
      actions: [],
      plan: { dropped: new Set(), replaced: new Map(), insertions: [] },
    })
    expect(report.warnings).toEqual([expect.objectContaining({ code: 'budget-unreachable' })])
    expect(report.stages.map(({ status, reason }) => reason ?? status)).toEqual([
      'floor-above-target',
      'floor-above-target',
      'floor-above-target',
      'disabled',
      'floor-above-target',
      'floor-above-target',
    ])
    expect([...decide.requests, ...summarize.requests]).toEqual([])
  })

  it('reaches the floor exactly, and gives up one token below it', async () => {
    const { floor } = await run(CHAT, { target: TOTAL })
    expect(floor).toMatchObject({ instructions: 50, pins: { 'first-task': 50 } })
    expect(await run(CHAT, { target: floor.tokens })).toMatchObject({
      outcome: 'compacted',
      fits: true,
    })
    expect(await run(CHAT, { target: floor.tokens - 1 })).toMatchObject({
      outcome: 'unchanged',
      fits: false,
    })
  })

  it('calls partial what is smaller and still does not fit', async () => {
    const decide = fakeDecide({ relevance: { msg__2: 0 } })
    const options = { truncate: { enabled: false } }
    const report = await run(CHAT, { target: 600, options, ports: { decide } })
    expect(report).toMatchObject({ outcome: 'partial', fits: false, tokensAfter: TOTAL - 100 })
  })

  it('calls unchanged what no enabled stage could change', async () => {
    const options = { truncate: { enabled: false } }
    expect(await run(CHAT, { target: 600, options })).toMatchObject({
      outcome: 'unchanged',
      fits: false,
    })
  })

  it.each<[string, readonly EntrySpec[], OptionOverrides, ReadonlySet<number>]>([
    ['one message', [user(ofTokens(90, 'task'))], {}, new Set()],
    ['no message', [], {}, new Set()],
    ['everything pinned by the caller', CHAT, {}, new Set(CHAT.keys())],
    [
      'everything recent, the user’s words alone',
      [user(ofTokens(50, 'a')), user(ofTokens(50, 'b'))],
      { protectRecent: 9 },
      new Set(),
    ],
  ])('leaves %s alone', async (_, specs, options, pins) => {
    const report = await run(specs, { target: 10, options, pins })
    expect(report.outcome).toBe('unchanged')
    expect(report.fits).toBe(specs.length === 0)
  })

  it('carries the faults of the input beside its own warnings', async () => {
    const warning = { code: 'orphan-tool-result', message: 'no call', pointer: '/messages/3' }
    const report = await run(CHAT, { target: 10, transcript: { warnings: [warning] } })
    expect(report.warnings.map(({ code }) => code)).toEqual([
      'orphan-tool-result',
      'budget-unreachable',
    ])
  })

  it('counts what rides beside the messages into both ends', async () => {
    const beside = { instructionsTokens: 10, toolsTokens: 70, framingTokens: 3 }
    const report = await run(CHAT, { target: 600, transcript: { beside } })
    expect(report.tokensBefore).toBe(TOTAL + 83)
    expect(report.floor).toMatchObject({ instructions: 60, tools: 70, framing: 3 })
    expect(report.fits).toBe(true)
  })

  it('expects the largest marker that could be written, old counts included', async () => {
    // A counter for which every digit of the count is dear.
    const countInsertion = (text: string) => 10 * (/\d+/.exec(text)?.[0].length ?? 0)
    const floorOf = async (specs: readonly EntrySpec[]) =>
      (await run(specs, { target: 2_000, ports: { countInsertion } })).floor.marker
    expect(await floorOf(CHAT)).toBe(20)
    expect(await floorOf([...CHAT.slice(0, 2), marker(98_765), ...CHAT.slice(2)])).toBe(50)
  })
})

describe('the actions of compact', () => {
  const specs = [
    ...CHAT.slice(0, 2),
    marker(40),
    ...exchange('c1', ofTokens(300, 'out'), {
      toolName: 'read_file',
      toolArguments: { path: 'a' },
    }),
    ...CHAT.slice(2, 8),
    ...exchange('c2', ofTokens(300, 'other'), {
      toolName: 'read_file',
      toolArguments: { path: 'a' },
    }),
    ...CHAT.slice(8),
  ]

  it.each([1_500, 1_200, 900, 500, 300])(
    'add up to what was saved, one per message, at %d',
    async (target) => {
      const decide = fakeDecide({ relevance: { msg__5: 0, msg__6: 0.1, msg__7: 0.9 } })
      for (const summarize of [undefined, fakeSummarizer(['gist'])]) {
        const report = await run(specs, {
          target,
          explain: 'all',
          ports: { decide, ...(summarize !== undefined && { summarize }) },
        })
        expect(report.fits).toBe(true)
        const sum = report.actions.reduce(
          (total, action) => total + action.tokensBefore - action.tokensAfter,
          0,
        )
        expect(sum).toBe(report.tokensBefore - report.tokensAfter)
        const messages = report.actions
          .filter(({ action }) => action !== 'inserted')
          .map(({ index }) => index)
        expect(messages).toEqual([...specs.keys()])
      }
    },
  )

  it('name what each message lost to the stage that took it last', async () => {
    const decide = fakeDecide({ relevance: { msg__5: 0 } })
    const { actions } = await run(specs, { target: 900, ports: { decide } })
    expect(actions.find(({ index }) => index === 5)).toMatchObject({
      stage: 'relevance',
      action: 'dropped',
      reason: 'not-needed',
      probability: 0,
      confidence: 1,
    })
    const old = actions.filter(({ reason }) => reason === 'superseded-marker')
    expect(old).toMatchObject([{ index: 2, stage: 'truncate', action: 'dropped', tokensAfter: 0 }])
  })

  it('are left out where nobody asked, and nothing else with them', async () => {
    const report = await run(specs, { target: 900, explain: 'none' })
    expect(report.actions).toEqual([])
    expect(report.drops.length).toBeGreaterThan(0)
  })
})
