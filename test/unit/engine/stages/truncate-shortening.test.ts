import { describe, expect, it } from 'vitest'
import { SHORTEN_FLOOR_TOKENS } from '../../../../src/engine/floor.ts'
import { commonLevel, truncate } from '../../../../src/engine/stages/truncate.ts'
import { fakePorts } from '../../../helpers/fake-ports.ts'
import { hasLoneSurrogate } from '../../../helpers/lone-surrogate.ts'
import {
  assistant,
  buildTranscript,
  calling,
  countByLength,
  type EntrySpec,
  exchange,
  marker,
  ofTokens,
  returning,
  user,
} from '../../../helpers/transcript-builder.ts'
import { type StageSpec, stageInput } from '../stage-input.ts'

function run(specs: readonly EntrySpec[], target: number, over: Partial<StageSpec> = {}) {
  const input = stageInput(buildTranscript(specs), {
    target,
    options: { protectRecent: 3 },
    ...over,
  })
  const { edits } = truncate(input, fakePorts())
  const texts = edits.flatMap((edit) => (edit.op === 'replace-text' ? [edit] : []))
  const dropped = edits.flatMap((edit) => (edit.op === 'drop' ? [edit.entry] : []))
  const after = texts.reduce(
    (sum, { entry, text }) => sum - (input.state.tokensOf(entry) - 4) + countByLength(text),
    input.state.total - dropped.reduce((sum, entry) => sum + input.state.tokensOf(entry), 0),
  )
  return { texts, dropped, after, total: input.state.total }
}

const tail = (tokens: number) => [...exchange('c1', ofTokens(tokens, 'log')), user('now')]

describe('truncate where dropping cannot meet the target', () => {
  it('shortens the large output of the tail, head and tail kept, within the target', () => {
    const { texts, after } = run([user('task'), ...tail(5_000)], 1_000)
    expect(texts).toMatchObject([{ entry: 2, reason: 'too-large' }])
    expect(texts[0]?.text).toMatch(/^log log [\s\S]*characters omitted[\s\S]*g $/)
    expect(after).toBeLessThanOrEqual(1_000)
  })

  it('shortens no more than is needed where there is no history to spare', () => {
    expect(run([user('task'), ...tail(5_000)], 300).after).toBeGreaterThan(300 - 10)
    expect(run([user('task'), ...tail(5_000)], 1_000).after).toBeGreaterThan(960)
    expect(run([user('task'), ...tail(5_000)], 4_000).after).toBeGreaterThan(3_800)
  })

  it('shortens one output rather than throw away the history for it', () => {
    const history = [user(ofTokens(90, 'q')), assistant(ofTokens(90, 'a'))]
    const { dropped, after } = run([user('task'), ...history, ...tail(5_000)], 1_000)
    expect(dropped).toEqual([])
    expect(after).toBeLessThanOrEqual(1_000)
    expect(after).toBeGreaterThan(960)
  })

  it('leaves a quarter of the target to a long history', () => {
    const history = Array.from({ length: 40 }, (_, n) => user(ofTokens(96, `q${n}`)))
    const { dropped, texts } = run([user('task'), ...history, ...tail(5_000)], 1_000)
    expect(dropped.length).toBeGreaterThan(30)
    expect(dropped.length).toBeLessThan(40)
    expect(countByLength(texts[0]?.text ?? '')).toBeLessThanOrEqual(750)
  })

  it('does not shorten what fits once everything droppable is gone, an old marker included', () => {
    const specs = [
      user('task'),
      marker(9),
      ...Array.from({ length: 9 }, (_, n) => user(ofTokens(96, `q${n}`))),
      ...tail(500),
    ]
    const input = stageInput(buildTranscript(specs), { target: 1, options: { protectRecent: 3 } })
    const kept = input.state.total - 900 - input.state.tokensOf(1)
    const { texts, dropped } = run(specs, kept + input.markerTokens)
    expect(texts).toEqual([])
    expect(dropped).toHaveLength(9)
  })

  it('lowers the largest outputs to one level and leaves the smaller ones whole', () => {
    const calls = ['a', 'b', 'c'].map((callId) => ({ callId }))
    const sizes = { a: 100, b: 2_000, c: 3_000 }
    const results = Object.entries(sizes).map(([callId, tokens]) =>
      returning(callId, ofTokens(tokens, callId)),
    )
    const { texts } = run([user('task'), calling(calls), ...results, user('now')], 1_000, {
      options: { protectRecent: 9 },
    })
    expect(texts.map(({ entry }) => entry)).toEqual([3, 4])
    const [b, c] = texts.map(({ text }) => countByLength(text))
    expect(Math.abs((b ?? 0) - (c ?? 0))).toBeLessThan(40)
  })

  it('never goes below the least that a part is shortened to', () => {
    const specs = [
      user('task'),
      calling([{ callId: 'a' }, { callId: 'b' }]),
      returning('a', ofTokens(900, 'a')),
      returning('b', ofTokens(900, 'b')),
    ]
    const { floorTokens } = stageInput(buildTranscript(specs), {
      target: 1,
      options: { protectRecent: 3 },
    })
    const { texts, after } = run(specs, floorTokens)
    expect(texts).toHaveLength(2)
    for (const { text } of texts) {
      expect(countByLength(text)).toBeLessThanOrEqual(SHORTEN_FLOOR_TOKENS)
      expect(countByLength(text)).toBeGreaterThan(SHORTEN_FLOOR_TOKENS / 2)
    }
    expect(after).toBeLessThanOrEqual(floorTokens)
  })

  it('meets every target from the floor to the whole', () => {
    const specs = [
      user('task'),
      assistant('k'),
      user('more'),
      assistant(ofTokens(300, 'said')),
      ...exchange('c1', ofTokens(700, 'log')),
      user('now'),
    ]
    const options = { protectRecent: 4 }
    const { floorTokens, state, markerTokens } = stageInput(buildTranscript(specs), {
      target: 1,
      options,
    })
    for (let target = floorTokens; target < state.total; target += 1) {
      const { after, dropped } = run(specs, target, { options })
      expect(after + (dropped.length > 0 ? markerTokens : 0)).toBeLessThanOrEqual(target)
    }
  })

  it('never shortens the user’s words, pins or signed parts', () => {
    const signed = [
      calling([{ callId: 's' }]),
      returning('s', ofTokens(400, 's'), { rewritable: false }),
    ]
    const specs = [
      user(ofTokens(400, 'task')),
      ...signed,
      assistant(ofTokens(400, 'pin')),
      user(ofTokens(400, 'now')),
    ]
    expect(run(specs, 900, { options: { protectRecent: 9 }, pins: [3] }).texts).toEqual([])
  })

  it('splits no surrogate pair', () => {
    const emoji = '😀'.repeat(2_000)
    for (let target = 200; target < 240; target += 1) {
      const { texts } = run([user('task'), ...exchange('c1', `x${emoji}`), user('now')], target)
      expect(hasLoneSurrogate(texts[0]?.text ?? '')).toBe(false)
    }
  })

  it('leaves a part alone that not even the mark would shorten enough', () => {
    const input = stageInput(buildTranscript([user('task'), ...tail(400)]), {
      target: 200,
      options: { protectRecent: 3 },
    })
    const stubborn = fakePorts({ countTokens: () => 10_000 })
    expect(truncate(input, stubborn).edits).toEqual([])
  })
})

describe('commonLevel', () => {
  it.each([
    [[10, 20, 30], 60, Number.POSITIVE_INFINITY],
    [[10, 20, 30], 59, 29],
    [[10, 20, 30], 40, 15],
    [[30, 10, 20], 6, 2],
    [[5], 0, 0],
    [[5], -9, 0],
    [[], 10, Number.POSITIVE_INFINITY],
  ])('of %j within %d is %d', (sizes, allowance, level) => {
    expect(commonLevel(sizes, allowance)).toBe(level)
  })
})
