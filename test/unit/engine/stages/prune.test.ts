import { describe, expect, it } from 'vitest'
import type { PruneOptions } from '../../../../src/engine/options.ts'
import { prune } from '../../../../src/engine/stages/prune.ts'
import { fakePorts } from '../../../helpers/fake-ports.ts'
import {
  buildTranscript,
  calling,
  countByLength,
  type EntrySpec,
  exchange,
  ofTokens,
  resultPart,
  returning,
  user,
} from '../../../helpers/transcript-builder.ts'
import { stageInput } from '../stage-input.ts'

const CLEARED = '[Tool result cleared: run]'
const SAVED = 100 - countByLength(CLEARED)

/** The task, exchanges of 100 tokens of output with their result at 2, 4, 6 ..., the request. */
function session(
  exchanges: number,
  over: Readonly<Record<number, readonly EntrySpec[]>> = {},
): EntrySpec[] {
  return [
    user('task'),
    ...Array.from(
      { length: exchanges },
      (_, index) => over[index] ?? exchange(`c${index}`, ofTokens(100, `r${index}`)),
    ).flat(),
    user('now'),
  ]
}

function run(
  specs: readonly EntrySpec[],
  options: Partial<PruneOptions> = {},
  over: { target?: number; pins?: readonly number[]; protectRecent?: number } = {},
) {
  const { target = 1, pins = [], protectRecent = 0 } = over
  const settings = { protectTokens: 0, keepResults: 0, minimumSavings: 0, ...options }
  const input = stageInput(buildTranscript(specs), {
    target,
    pins,
    options: { protectRecent, prune: settings },
  })
  return { edits: prune(input, fakePorts()).edits, total: input.state.total }
}

const clearedBy = (...args: Parameters<typeof run>) =>
  run(...args).edits.flatMap((edit) => (edit.op === 'replace-text' ? [edit.entry] : []))

describe('prune', () => {
  it('clears old results to a line that names the tool, and leaves the calls', () => {
    expect(run(session(1)).edits).toEqual([
      { op: 'replace-text', entry: 2, part: 0, text: CLEARED, reason: 'old-tool-output' },
    ])
  })

  it('clears only as much as the target needs, the oldest first', () => {
    const { total } = run(session(4))
    expect(clearedBy(session(4), {}, { target: total - 1 })).toEqual([2])
    expect(clearedBy(session(4), {}, { target: total - SAVED })).toEqual([2])
    expect(clearedBy(session(4), {}, { target: total - SAVED - 1 }).sort()).toEqual([2, 4])
  })

  it('spares again what a larger one has made needless', () => {
    const large = { 2: exchange('big', ofTokens(900, 'big')) }
    const { total } = run(session(3, large))
    expect(clearedBy(session(3, large), {}, { target: total - 500 })).toEqual([6])
  })

  it.each([
    [0, [2, 4, 6]],
    [1, [2, 4]],
    [100, [2, 4]],
    [101, [2]],
    [300, []],
  ])('keeps the newest %d tokens of output whole', (protectTokens, expected) => {
    expect(clearedBy(session(3), { protectTokens }).sort()).toEqual(expected)
  })

  it.each([
    [0, [2, 4, 6]],
    [2, [2]],
    [3, []],
    [99, []],
  ])('keeps the newest %d results whole', (keepResults, expected) => {
    expect(clearedBy(session(3), { keepResults }).sort()).toEqual(expected)
  })

  it('counts parallel results of one message from the last one on', () => {
    const parts = ['a', 'b', 'c'].map((id) => resultPart(id, ofTokens(100, id)))
    const specs: EntrySpec[] = [
      user('task'),
      calling([{ callId: 'a' }, { callId: 'b' }, { callId: 'c' }]),
      { role: 'tool', parts },
      user('now'),
    ]
    const { edits } = run(specs, { keepResults: 1 })
    expect(edits.map((edit) => edit.op === 'replace-text' && edit.part).sort()).toEqual([0, 1])
  })

  it('does nothing unless at least the minimum can be saved', () => {
    expect(clearedBy(session(3), { minimumSavings: 3 * SAVED })).toHaveLength(3)
    expect(clearedBy(session(3), { minimumSavings: 3 * SAVED + 1 })).toEqual([])
  })

  it('measures the minimum by what could be saved, not by what the target needs', () => {
    const { total } = run(session(3))
    expect(clearedBy(session(3), { minimumSavings: 2 * SAVED }, { target: total - 1 })).toEqual([2])
  })

  it('never puts anything longer, or as long, in the place of a small result', () => {
    const size = countByLength(CLEARED)
    const specs = session(3, {
      0: exchange('c0', 'ok'),
      1: exchange('c1', ofTokens(size, 'same')),
      2: exchange('c2', ofTokens(size + 1, 'more')),
    })
    expect(clearedBy(specs)).toEqual([6])
  })

  it('never clears the results of a protected tool', () => {
    const specs = session(2, { 0: exchange('c0', ofTokens(100, 'x'), { toolName: 'skill' }) })
    expect(clearedBy(specs)).toEqual([4])
    expect(clearedBy(specs, { protectedTools: [] }).sort()).toEqual([2, 4])
    expect(clearedBy(specs, { protectedTools: ['run', 'skill'] })).toEqual([])
  })

  it('clears failures last', () => {
    const failed = [
      calling([{ callId: 'bad' }]),
      returning('bad', ofTokens(100, 'boom'), { isError: true }),
    ]
    const specs = session(3, { 0: failed })
    const { total } = run(specs)
    expect(clearedBy(specs, {}, { target: total - 2 * SAVED }).sort()).toEqual([4, 6])
    expect(clearedBy(specs, {}, { target: total - 2 * SAVED - 1 }).sort()).toEqual([2, 4, 6])
  })

  it('clears nothing twice, nothing pinned, and nothing that may not be rewritten', () => {
    const signed = [
      calling([{ callId: 's' }]),
      returning('s', ofTokens(100, 's'), { rewritable: false }),
    ]
    const specs = session(4, { 0: exchange('c0', `${CLEARED}${' '.repeat(200)}`), 1: signed })
    expect(clearedBy(specs, {}, { pins: [6] })).toEqual([8])
  })

  it('clears nothing in the protected tail, but counts its output as the newest', () => {
    expect(clearedBy(session(3), {}, { protectRecent: 3 }).sort()).toEqual([2, 4])
    expect(clearedBy(session(3), { keepResults: 2 }, { protectRecent: 3 })).toEqual([2])
  })

  it('passes over what an earlier stage has taken', () => {
    const input = stageInput(buildTranscript(session(2)), {
      target: 1,
      options: { prune: { protectTokens: 0, minimumSavings: 0 } },
    })
    input.state.apply({ drops: new Set([1, 2]), replacements: new Map() })
    expect(prune(input, fakePorts()).edits).toMatchObject([{ entry: 4 }])
  })

  it('clears a result whose tool has no name', () => {
    const nameless: EntrySpec = {
      role: 'tool',
      parts: [{ kind: 'tool-result', text: ofTokens(100, 'x') }],
    }
    expect(run([user('task'), nameless, user('now')]).edits).toMatchObject([
      { entry: 1, text: '[Tool result cleared]' },
    ])
  })
})
