import { describe, expect, test } from 'vitest'
import { formatCell, toMarkdown } from '../../../eval/lib/markdown.ts'
import { aim, number, percent, type Result, scientific } from '../../../eval/lib/result.ts'
import { assertJudged, untouched } from '../../../eval/lib/service.ts'
import { fillPage } from '../../../eval/lib/write-results.ts'
import { isWithinFactorTwo } from '../../../eval/measurements/safety-table.ts'
import { drawLinePlot } from '../../../eval/plots/line-plot.ts'

const estimate = (value: number, low = value, high = value) => ({ value, low, high, units: 9 })

describe('formatCell', () => {
  test('writes numbers by their form, with their interval', () => {
    expect(formatCell(percent(0.1234))).toBe('12.3%')
    expect(formatCell(percent(estimate(0.5, 0.41, 0.6)))).toBe('50.0% (41.0 to 60.0)')
    expect(formatCell(number(3))).toBe('3')
    expect(formatCell(number(0.05))).toBe('0.050')
    expect(formatCell(scientific(0.00012))).toBe('1.2e-4')
    expect(formatCell(percent(Number.NaN))).toBe('none')
  })

  test('never writes a small share as nothing', () => {
    expect(formatCell(percent(0.00007))).toBe('0.007%')
    expect(formatCell(percent(0))).toBe('0.0%')
  })
})

describe('aim', () => {
  test('is met at the bound and missed beyond it', () => {
    expect(aim('x', estimate(0.98), { least: 0.98 }).met).toBe(true)
    expect(aim('x', estimate(0.979), { least: 0.98 }).met).toBe(false)
    expect(aim('x', estimate(0.05), { most: 0.05 }).met).toBe(true)
    expect(aim('x', estimate(0.051), { most: 0.05 }).met).toBe(false)
  })

  test('goes by the value and not by its interval', () => {
    expect(aim('x', estimate(0.97, 0.96, 0.99), { least: 0.98 }).met).toBe(false)
    expect(aim('x', estimate(0.06, 0.04, 0.07), { most: 0.05 }).met).toBe(false)
  })

  test('is missed where nothing could be measured', () => {
    expect(aim('x', estimate(Number.NaN), { least: 0 }).met).toBe(false)
  })
})

describe('isWithinFactorTwo', () => {
  const safety = (expected: number, lost: number) => ({
    harmed: estimate(0),
    dropped: estimate(0),
    droppedTokens: estimate(0),
    expected: estimate(expected),
    lost: estimate(lost),
  })

  test('holds up to twice as much either way', () => {
    expect(isWithinFactorTwo(safety(0.05, 0.1))).toBe(true)
    expect(isWithinFactorTwo(safety(0.05, 0.025))).toBe(true)
    expect(isWithinFactorTwo(safety(0.05, 0.101))).toBe(false)
    expect(isWithinFactorTwo(safety(0.05, 0.024))).toBe(false)
  })
})

describe('toMarkdown', () => {
  const result: Result = {
    name: 'one',
    title: 'One thing',
    protocol: 'It was done so.',
    tables: [{ title: 'Figures', columns: ['a', 'b'], rows: [['x', percent(0.5)]], note: 'Mind.' }],
    aims: [aim('x', estimate(0.5), { least: 0.9 })],
    plots: [{ name: 'curve', title: 'A curve', svg: '<svg/>' }],
  }

  const form = { level: 2, plotFolder: '', withDetails: true }

  test('shows aims with what was measured, tables and plots', () => {
    const text = toMarkdown(['Head.'], [result], form)
    expect(text.startsWith('Head.\n\n## Against the aims\n\n')).toBe(true)
    expect(text).toContain('| x | at least 90% | 50.0% (50.0 to 50.0) | **missed** |')
    expect(text).toContain('**Figures**\n\n| a | b |\n| --- | --- |\n| x | 50.0% |\n\nMind.')
    expect(text).toContain('![A curve](curve.svg)')
  })

  test('leaves details out where it is told to, and finds the plots from there', () => {
    const detail = { title: 'Details', columns: ['c'], rows: [['y']], isDetail: true }
    const detailed = { ...result, tables: [...result.tables, detail] }
    const page = { level: 3, plotFolder: '../there/', withDetails: false }
    expect(toMarkdown([], [detailed], form)).toContain('**Details**')
    const text = toMarkdown([], [detailed], page)
    expect(text).not.toContain('**Details**')
    expect(text).toContain('### One thing')
    expect(text).toContain('![A curve](../there/curve.svg)')
  })
})

describe('fillPage', () => {
  test('replaces what is between the marks and nothing else', () => {
    const page = 'Before.\n<!-- figures:start -->\nold\n<!-- figures:end -->\nAfter.\n'
    const filled = fillPage(page, 'new')
    expect(filled).toBe('Before.\n<!-- figures:start -->\n\nnew\n\n<!-- figures:end -->\nAfter.\n')
    expect(fillPage(filled, 'new')).toBe(filled)
  })

  test('refuses a page without a place for them', () => {
    expect(() => fillPage('Before.', 'new')).toThrow('no place')
  })
})

describe('assertJudged', () => {
  const stage = (status: 'applied' | 'failed') => ({
    stage: 'relevance' as const,
    status,
    tokensBefore: 9,
    tokensAfter: 9,
    dropped: 0,
    rewritten: 0,
  })
  const relevance = (failOpen?: 'timeout' | 'unanswered') => ({
    asked: 1,
    answered: 0,
    flagged: 0,
    dropped: 0,
    notAsked: 0,
    capHit: false,
    order: 'least-needed-first' as const,
    expectedNeededLost: 0,
    model: 'm',
    wire: 'w',
    latencyMs: 1,
    requests: 1,
    ...(failOpen !== undefined && { failOpen }),
  })

  test('refuses a run without the model that it is to measure', () => {
    expect(() => assertJudged({ stages: [stage('failed')] })).toThrow('relevance')
    const late = { stages: [stage('applied')], relevance: relevance('timeout') }
    expect(() => assertJudged(late)).toThrow('timeout')
  })

  test('takes no opinion for an answer', () => {
    const stages = [stage('applied')]
    expect(() => assertJudged({ stages, relevance: relevance('unanswered') })).not.toThrow()
    const silent = [{ ...stage('failed'), reason: 'unanswered' }]
    expect(() => assertJudged({ stages: silent, relevance: relevance('unanswered') })).not.toThrow()
    expect(() => assertJudged({ stages, relevance: relevance() })).not.toThrow()
  })
})

describe('untouched', () => {
  const body = { messages: ['a', 'b', 'c', 'd'] }
  const answer = (actions: readonly (readonly [string, number])[], length: number) => ({
    outcome: 'compacted',
    fits: true,
    tokensBefore: 9,
    tokensAfter: 5,
    stagesUsed: [],
    stages: [],
    messages: Array.from({ length }, () => 'x'),
    actions: actions.map(([action, index]) => ({
      action: action as 'dropped',
      index,
      reason: 'oldest' as const,
      tokensBefore: 0,
      tokensAfter: 0,
    })),
  })

  test('leaves out what was dropped or rewritten', () => {
    const actions = [
      ['dropped', 0],
      ['rewritten', 1],
      ['inserted', 2],
    ] as const
    expect([...untouched(body, answer(actions, 4))]).toEqual([2, 3])
  })

  test('refuses actions that do not add up', () => {
    expect(() => untouched(body, answer([['dropped', 0]], 4))).toThrow('add up')
  })
})

describe('drawLinePlot', () => {
  const axis = { label: 'share', from: 0, to: 1, scale: 'linear', ticks: [] } as const
  const draw = (points: readonly { x: number; y: number }[], name = 'a') =>
    drawLinePlot({ title: 'T', x: axis, y: axis, series: [{ name, points }] })

  test('puts points where their values are', () => {
    const svg = draw([
      { x: 0, y: 0 },
      { x: 1, y: 1 },
    ])
    expect(svg).toContain('points="64,368 624,40"')
  })

  test('spreads a logarithmic axis evenly over the decades, and keeps to its ends', () => {
    const decades = { ...axis, from: 0.01, to: 1, scale: 'logarithmic' } as const
    const points = [0.01, 0.1, 1, 0].map((x) => ({ x, y: 0 }))
    const svg = drawLinePlot({ title: 'T', x: decades, y: axis, series: [{ name: 'a', points }] })
    expect(svg).toContain('points="64,368 344,368 624,368 64,368"')
  })

  test('escapes names', () => {
    expect(draw([], 'a < b & "c"')).toContain('a &lt; b &amp; &quot;c&quot;')
  })
})
