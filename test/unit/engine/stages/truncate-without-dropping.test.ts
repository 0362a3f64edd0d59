import { describe, expect, it } from 'vitest'
import { truncate } from '../../../../src/engine/stages/truncate.ts'
import { fakePorts } from '../../../helpers/fake-ports.ts'
import {
  assistant,
  buildTranscript,
  countByLength,
  type EntrySpec,
  exchange,
  instructions,
  ofTokens,
  user,
} from '../../../helpers/transcript-builder.ts'
import { type StageSpec, stageInput } from '../stage-input.ts'

function run(specs: readonly EntrySpec[], target: number, over: Partial<StageSpec> = {}) {
  const options = { protectRecent: 3, truncate: { drop: false } }
  const input = stageInput(buildTranscript(specs), { target, options, ...over })
  const { edits, marker } = truncate(input, fakePorts())
  const texts = edits.flatMap((edit) => (edit.op === 'replace-text' ? [edit] : []))
  const after = texts.reduce(
    (sum, { entry, part, text }) =>
      sum - (input.transcript.entries[entry]?.parts[part]?.tokens ?? 0) + countByLength(text),
    input.state.total,
  )
  return { edits, texts, marker, after, total: input.state.total }
}

const old = (callId: string, tokens: number) => exchange(callId, ofTokens(tokens, callId))
const SPECS = [
  instructions(ofTokens(200, 'rule')),
  user(ofTokens(200, 'task')),
  ...old('a', 2_000),
  assistant(ofTokens(300, 'said')),
  user(ofTokens(300, 'more')),
  ...old('b', 1_000),
  ...old('c', 3_000),
  user('now'),
]

describe('truncate that must not drop', () => {
  it('shortens and drops nothing, within every target that can be met so', () => {
    const { total } = run(SPECS, 1)
    for (let target = 1_400; target < total; target += 97) {
      const { edits, texts, marker, after } = run(SPECS, target)
      expect(edits).toEqual(texts)
      expect(marker).toBeUndefined()
      expect(after).toBeLessThanOrEqual(target)
      expect(after).toBeGreaterThan(target - 200)
    }
  })

  it('shortens what is old before what is recent', () => {
    const { texts } = run(SPECS, 5_000)
    expect(texts.map(({ entry }) => entry)).toEqual([3, 7])
    const further = run(SPECS, 2_000).texts.map(({ entry }) => entry)
    expect(further).toContain(9)
  })

  it('shortens outputs and answers, never instructions or the user’s words', () => {
    const entries = new Set(run(SPECS, 1_400).texts.map(({ entry }) => entry))
    expect(entries).toEqual(new Set([3, 4, 7, 9]))
  })

  it('spoils nothing for a target that it cannot meet', () => {
    expect(run(SPECS, 900).edits).toEqual([])
  })

  it('leaves pins whole', () => {
    const { texts } = run(SPECS, 5_000, { pins: [3] })
    expect(texts.map(({ entry }) => entry)).not.toContain(3)
  })
})
