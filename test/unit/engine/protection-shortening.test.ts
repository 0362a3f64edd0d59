import { describe, expect, it } from 'vitest'
import { closeLinks } from '../../../src/engine/groups.ts'
import {
  mayShorten,
  type PinReason,
  type Protection,
  protect,
} from '../../../src/engine/protection.ts'
import {
  assistant,
  buildTranscript,
  calling,
  type EntrySpec,
  exchange,
  type PartSpec,
  user,
} from '../../helpers/transcript-builder.ts'

function pinnedAs(reason: PinReason | undefined): Protection {
  return { level: () => 'fixed', reason: () => reason, currentRequest: undefined }
}

function allowed(role: EntrySpec['role'], part: PartSpec, reason: PinReason | undefined): boolean {
  const [entry] = buildTranscript([{ role, parts: [part] }]).entries
  const [only] = entry?.parts ?? []
  if (entry === undefined || only === undefined) throw new Error('no part was built')
  return mayShorten(entry, only, pinnedAs(reason))
}

const TEXT: PartSpec = { kind: 'text', text: 'words' }
const RESULT: PartSpec = { kind: 'tool-result', text: 'output', callId: 'c1' }

describe('mayShorten', () => {
  it.each(['instructions', 'summary', 'skill', 'caller-pin'] as const)(
    'allows nothing in a message pinned as %s',
    (reason) => {
      expect(allowed('tool', RESULT, reason)).toBe(false)
      expect(allowed('assistant', TEXT, reason)).toBe(false)
    },
  )

  it.each(['first-task', 'current-request', 'unresolved-call'] as const)(
    'allows only tool output in a message pinned as %s',
    (reason) => {
      expect(allowed('tool', RESULT, reason)).toBe(true)
      expect(allowed('tool', TEXT, reason)).toBe(false)
      expect(allowed('assistant', TEXT, reason)).toBe(false)
    },
  )

  it.each(['protected-tail', 'linked', undefined] as const)(
    'allows tool output and the assistant’s text, never the user’s (%s)',
    (reason) => {
      expect(allowed('tool', RESULT, reason)).toBe(true)
      expect(allowed('assistant', TEXT, reason)).toBe(true)
      expect(allowed('user', TEXT, reason)).toBe(false)
      expect(allowed('tool', TEXT, reason)).toBe(false)
    },
  )

  it('allows no part that may not be rewritten, and no call, reasoning, media or opaque part', () => {
    expect(allowed('tool', { ...RESULT, rewritable: false }, 'protected-tail')).toBe(false)
    for (const kind of ['tool-call', 'reasoning', 'media', 'opaque'] as const) {
      expect(allowed('assistant', { kind, text: 'x', rewritable: true }, 'protected-tail')).toBe(
        false,
      )
    }
  })

  it('allows the output of a call whose message is pinned by its user', () => {
    const transcript = buildTranscript([
      user('task'),
      ...exchange('c1', 'out'),
      calling([{ callId: 'c2' }]),
      assistant('b'),
    ])
    const groups = closeLinks(transcript)
    const protection = protect({ transcript, groups, protectRecent: 0, pins: new Set([1]) })
    const result = transcript.entries[2]
    if (result?.parts[0] === undefined) throw new Error('no result was built')
    expect(protection.reason(2)).toBe('linked')
    expect(mayShorten(result, result.parts[0], protection)).toBe(true)
  })
})
