/**
 * Notes that could take the place of old media: one line that says what was there. What a tool said
 * beside its pictures stays.
 */

import { savedBytes } from '../json-bytes.ts'
import { mediaNote } from '../marker.ts'
import type { Ports } from '../ports.ts'
import type { StageInput } from '../stage.ts'
import type { Part } from '../transcript.ts'
import type { ReplacementCandidate } from './replacement-candidate.ts'

/** Oldest first; only of messages that may be dropped altogether. */
export function noteOldMedia(input: StageInput, ports: Ports): ReplacementCandidate[] {
  const { transcript, state, protection, options } = input
  const isProtectedTool = new Set(options.prune.protectedTools)
  const candidates: ReplacementCandidate[] = []
  for (const entry of transcript.entries) {
    if (!state.isAlive(entry.index) || protection.level(entry.index) !== 'free') continue
    for (const [index, part] of entry.parts.entries()) {
      if (!mayBeNoted(part) || isProtectedTool.has(part.toolName ?? '')) continue
      // A stage before this one has taken the media with the rest of the part.
      if (state.partText(entry, index) !== part.text) continue
      const text = [part.media?.besideText, mediaNote(part.media)]
        .filter((line) => line !== undefined && line !== '')
        .join('\n')
      const tokens = state.partTokens(entry, index) - ports.countTokens(text)
      if (tokens <= 0) continue
      const bytes = savedBytes(part, text, input)
      candidates.push({ entry: entry.index, part: index, text, reason: 'old-media', tokens, bytes })
    }
  }
  return candidates
}

function mayBeNoted(part: Part): boolean {
  if (part.media === undefined) return false
  return part.kind === 'media' || (part.kind === 'tool-result' && part.rewritable)
}
