import { describe, expect, it } from 'vitest'
import { computeFloor, leastTokens, SHORTEN_FLOOR_TOKENS } from '../../../src/engine/floor.ts'
import { closeLinks } from '../../../src/engine/groups.ts'
import { protect } from '../../../src/engine/protection.ts'
import {
  assistant,
  buildTranscript,
  type EntrySpec,
  exchange,
  FRAMING_TOKENS,
  instructions,
  marker,
  ofTokens,
  type TranscriptSpec,
  user,
} from '../../helpers/transcript-builder.ts'

const MARKER = 18

function floorOf(specs: readonly EntrySpec[], protectRecent = 0, spec: TranscriptSpec = {}) {
  const transcript = buildTranscript(specs, spec)
  const groups = closeLinks(transcript)
  const protection = protect({ transcript, groups, protectRecent, pins: new Set() })
  return computeFloor(transcript, protection, MARKER)
}

const said = (tokens: number, label: string) => user(ofTokens(tokens, label))
const answered = (tokens: number, label: string) => assistant(ofTokens(tokens, label))

describe('computeFloor', () => {
  it('adds up what is pinned, by what holds it', () => {
    const beside = { instructionsTokens: 7, toolsTokens: 300, framingTokens: 3 }
    const floor = floorOf(
      [
        instructions(ofTokens(50, 'rules')),
        said(20, 'task'),
        answered(900, 'long ago'),
        user(ofTokens(30, 'summary'), { flags: { summary: true } }),
        answered(800, 'then'),
        answered(10, 'recent'),
        said(5, 'now'),
      ],
      2,
      { beside },
    )
    expect(floor).toEqual({
      instructions: 7 + 50 + FRAMING_TOKENS,
      tools: 300,
      framing: 3,
      pins: {
        'first-task': 20 + FRAMING_TOKENS,
        summary: 30 + FRAMING_TOKENS,
        'current-request': 5 + FRAMING_TOKENS,
      },
      protectedTail: 10 + FRAMING_TOKENS,
      marker: MARKER,
      tokens: 61 + 300 + 3 + 24 + 34 + 9 + 14 + MARKER,
    })
  })

  it('takes outputs of the tail at the least that they may be shortened to', () => {
    const specs = [
      said(10, 'task'),
      ...exchange('c1', ofTokens(5_000, 'log')),
      answered(20, 'done'),
    ]
    const floor = floorOf(specs, 2)
    expect(floor.protectedTail).toBe(SHORTEN_FLOOR_TOKENS + FRAMING_TOKENS + 20 + FRAMING_TOKENS)
  })

  it('needs no marker where nothing could be dropped', () => {
    const floor = floorOf([said(10, 'task'), answered(9, 'answer')], 2)
    expect(floor.marker).toBe(0)
    expect(floor.tokens).toBe(10 + 9 + 2 * FRAMING_TOKENS)
  })

  it('takes what could be dropped for its own size where the marker is larger', () => {
    const floor = floorOf([said(10, 'task'), answered(3, 'ok'), said(10, 'now')])
    expect(floor.marker).toBe(3 + FRAMING_TOKENS)
    expect(floor.tokens).toBe(10 + 3 + 10 + 3 * FRAMING_TOKENS)
  })

  it('lets a new marker take the place of the old one', () => {
    const transcript = [said(10, 'task'), marker(9), answered(90, 'old'), said(10, 'now')]
    expect(floorOf(transcript).marker).toBe(MARKER)
  })
})

describe('leastTokens', () => {
  it('never raises a part that is smaller than the least', () => {
    const transcript = buildTranscript([assistant('short')])
    const groups = closeLinks(transcript)
    const protection = protect({ transcript, groups, protectRecent: 1, pins: new Set() })
    const [entry] = transcript.entries
    const [part] = entry?.parts ?? []
    if (entry === undefined || part === undefined) throw new Error('no part was built')
    expect(leastTokens(entry, part, protection)).toBe(part.tokens)
  })
})
