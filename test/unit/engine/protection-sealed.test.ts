import { describe, expect, it } from 'vitest'
import { closeLinks } from '../../../src/engine/groups.ts'
import { mayShorten, protect } from '../../../src/engine/protection.ts'
import { assistant, buildTranscript, user } from '../../helpers/transcript-builder.ts'

const transcript = buildTranscript([
  user('task'),
  assistant('what was said', { flags: { sealed: true } }),
  assistant('reply'),
  user('request'),
])
const protection = protect({
  transcript,
  groups: closeLinks(transcript),
  protectRecent: 0,
  pins: new Set(),
})

describe('a history that the provider compacted', () => {
  it('is pinned for good, as what it is', () => {
    expect(protection.reason(1)).toBe('sealed-history')
    expect(protection.level(1)).toBe('fixed')
    expect(protection.reason(2)).toBeUndefined()
  })

  it('is never shortened', () => {
    const [entry] = transcript.entries.slice(1, 2)
    const [part] = entry?.parts ?? []
    expect(part?.rewritable).toBe(true)
    expect(entry !== undefined && part !== undefined && mayShorten(entry, part, protection)).toBe(
      false,
    )
  })
})
