import { describe, expect, it } from 'vitest'
import { truncate } from '../../../../src/engine/stages/truncate.ts'
import { fakePorts } from '../../../helpers/fake-ports.ts'
import {
  assistant,
  buildTranscript,
  type EntrySpec,
  exchange,
  marker,
  ofTokens,
  user,
} from '../../../helpers/transcript-builder.ts'
import { MARKER_TOKENS, type StageSpec, stageInput } from '../stage-input.ts'

/** Question and answer of 100 tokens each with their framing, `turns` times, between task and request. */
function chat(turns: number): EntrySpec[] {
  return [
    user('task'),
    assistant('ok'),
    ...Array.from({ length: turns }, (_, turn) => [
      user(ofTokens(96, `q${turn}`)),
      assistant(ofTokens(96, `a${turn}`)),
    ]).flat(),
    user('now'),
  ]
}

function run(specs: readonly EntrySpec[], over: Partial<StageSpec> & { excess: number }) {
  const { excess, ...spec } = over
  const transcript = buildTranscript(specs)
  const { total } = stageInput(transcript, { target: 1 }).state
  const input = stageInput(transcript, { target: total - excess, ...spec })
  return truncate(input, fakePorts())
}

function droppedBy(...args: Parameters<typeof run>): number[] {
  return run(...args)
    .edits.flatMap((edit) => (edit.op === 'drop' ? [edit.entry] : []))
    .sort((a, b) => a - b)
}

describe('truncate by age', () => {
  it('drops the oldest exchanges, exactly as many as are needed with the marker', () => {
    // 'ok' (1 + 4) replies to the pinned task and goes first.
    expect(droppedBy(chat(4), { excess: 205 - MARKER_TOKENS })).toEqual([1, 2, 3])
    expect(droppedBy(chat(4), { excess: 206 - MARKER_TOKENS })).toEqual([1, 2, 3, 4, 5])
    expect(droppedBy(chat(4), { excess: 1 })).toEqual([1, 2, 3])
  })

  it('asks for a counting marker, and names age as its reason', () => {
    const { edits, marker: style } = run(chat(4), { excess: 1 })
    expect(style).toBe('truncated')
    expect(edits.every((edit) => edit.op === 'drop' && edit.reason === 'oldest')).toBe(true)
  })

  it('puts back whatever still fits once a large one is gone', () => {
    const specs = [
      user('task'),
      assistant('ok'),
      user(ofTokens(50, 'q')),
      assistant(ofTokens(50, 'a')),
      ...exchange('c1', ofTokens(900, 'log')),
      user('now'),
    ]
    expect(droppedBy(specs, { excess: 600 })).toEqual([1, 4, 5])
  })

  it('keeps a call with its result on either side', () => {
    const specs = [
      user('task'),
      ...exchange('c1', ofTokens(90, 'a')),
      ...exchange('c2', ofTokens(90, 'b')),
      user('now'),
    ]
    expect(droppedBy(specs, { excess: 50 })).toEqual([1, 2])
  })

  it('counts a marker that it replaces as room', () => {
    const specs = [user('task'), marker(5), ...chat(3).slice(1)]
    expect(droppedBy(specs, { excess: 204 })).toEqual([2, 3, 4])
  })

  it('merges several old markers before it drops anything for room that they would give', () => {
    const specs = [marker(40), marker(7), user(ofTokens(90, 'task')), assistant('a'), user('now')]
    expect(droppedBy(specs, { excess: 10 })).toEqual([0, 1])
    expect(droppedBy([...specs.slice(0, 3), user('now')], { excess: 10 })).toEqual([0, 1])
    expect(run(specs, { excess: 10 }).marker).toBe('truncated')
  })

  it('never drops a pin, even where that leaves it over the target', () => {
    expect(droppedBy(chat(2), { excess: 400, pins: [3, 5] })).toEqual([1, 2, 4])
  })

  it('does nothing where nothing may go', () => {
    expect(run([user(ofTokens(50, 'task'))], { excess: 10 })).toEqual({ edits: [] })
  })
})

describe('truncate by need', () => {
  const over = (needed: readonly (readonly [number, number])[]) => ({
    rankByNeed: true,
    needed: new Map(needed),
  })

  it('drops the least needed before the oldest', () => {
    const needed = over([
      [2, 0.9],
      [3, 0.8],
      [4, 0.1],
      [5, 0.7],
    ])
    // Its answer is pinned, so that the question goes by itself.
    expect(droppedBy(chat(2), { excess: 50, ...needed, pins: [1, 5] })).toEqual([4])
  })

  it('names need as the reason for what was judged, and age for what was not', () => {
    const { edits } = run(chat(2), {
      excess: 300,
      ...over([
        [4, 0.1],
        [5, 0.2],
      ]),
      pins: [1],
    })
    const reasons = new Map(
      edits.map((edit) => (edit.op === 'drop' ? [edit.entry, edit.reason] : [-1, ''])),
    )
    expect(reasons.get(4)).toBe('least-needed')
    expect([...reasons.keys()].some((entry) => entry === 2 || entry === 3)).toBe(true)
    for (const entry of [2, 3]) {
      if (reasons.has(entry)) expect(reasons.get(entry)).toBe('oldest')
    }
  })
})
