/**
 * Clears old tool output: outside the newest output, oldest first and failures last, and only as
 * much as the target needs. The call stays, so that the tool can be run again. Where asked to, old
 * media get a note in their place first, for they weigh most and say least.
 */
import type { Edit } from '../edit.ts'
import { savedBytes } from '../json-bytes.ts'
import { clearedText, isPlaceholder } from '../marker.ts'
import type { Ports } from '../ports.ts'
import type { StageInput, StageOutput } from '../stage.ts'
import type { Size } from '../state.ts'
import { noteOldMedia } from './old-media.ts'
import type { ReplacementCandidate as Candidate } from './replacement-candidate.ts'

interface Clearing extends Candidate {
  readonly isError: boolean
}

export function prune(input: StageInput, ports: Ports): StageOutput {
  const { state, target, maxBytes, options } = input
  const notes = options.prune.media ? noteOldMedia(input, ports) : []
  const clearings = beyondNotes(collectClearings(input, ports), notes)
  const candidates = [
    ...notes,
    ...clearings.filter((clearing) => !clearing.isError),
    ...clearings.filter((clearing) => clearing.isError),
  ]
  const possible = candidates.reduce((sum, { tokens }) => sum + tokens, 0)
  const isWorthIt = state.bytes > maxBytes || possible >= options.prune.minimumSavings
  if (!isWorthIt) return { edits: [] }
  const excess = { tokens: state.total - target, bytes: excessBytes(state.bytes, maxBytes) }
  return {
    edits: chooseEnough(candidates, excess).map(
      ({ entry, part, text, reason }): Edit => ({ op: 'replace-text', entry, part, text, reason }),
    ),
  }
}

/** Clearing a result whose media have got a note saves only what the note left. */
function beyondNotes(clearings: readonly Clearing[], notes: readonly Candidate[]): Clearing[] {
  const noted = new Map(notes.map((note) => [`${note.entry}/${note.part}`, note]))
  return clearings.map((clearing) => {
    const note = noted.get(`${clearing.entry}/${clearing.part}`)
    if (note === undefined) return clearing
    return {
      ...clearing,
      tokens: clearing.tokens - note.tokens,
      bytes: clearing.bytes - note.bytes,
    }
  })
}

function excessBytes(bytes: number, maxBytes: number): number {
  return maxBytes === Number.POSITIVE_INFINITY ? 0 : bytes - maxBytes
}

/** Takes in order until the excess is gone, then spares again, the last taken first, what may stay. */
function chooseEnough(candidates: readonly Candidate[], excess: Size): Candidate[] {
  let { tokens, bytes } = excess
  const taken: Candidate[] = []
  for (const candidate of candidates) {
    if (tokens <= 0 && bytes <= 0) break
    taken.push(candidate)
    tokens -= candidate.tokens
    bytes -= candidate.bytes
  }
  const chosen: Candidate[] = []
  for (const candidate of taken.reverse()) {
    if (tokens + candidate.tokens <= 0 && bytes + candidate.bytes <= 0) {
      tokens += candidate.tokens
      bytes += candidate.bytes
    } else chosen.push(candidate)
  }
  // In the order in which they were taken: where a result is cleared whole, that comes after its note.
  return chosen.reverse()
}

/** Oldest first. Cost: one count of a placeholder for each distinct tool. */
function collectClearings(input: StageInput, ports: Ports): Clearing[] {
  const { transcript, state, protection, options } = input
  const { protectTokens, keepResults, protectedTools } = options.prune
  const isProtectedTool = new Set(protectedTools)
  const placeholderOf = createPlaceholders(ports)
  const clearings: Clearing[] = []
  let newestTokens = 0
  let newestResults = 0
  for (let index = transcript.entries.length - 1; index >= 0; index -= 1) {
    const entry = transcript.entries[index]
    if (entry === undefined || !state.isAlive(index)) continue
    for (let partIndex = entry.parts.length - 1; partIndex >= 0; partIndex -= 1) {
      const part = entry.parts[partIndex]
      if (part?.kind !== 'tool-result') continue
      const tokens = state.partTokens(entry, partIndex)
      const isNewest = newestTokens < protectTokens || newestResults < keepResults
      newestTokens += tokens
      newestResults += 1
      if (isNewest || protection.level(index) !== 'free' || !part.rewritable) continue
      if (isProtectedTool.has(part.toolName ?? '')) continue
      if (isPlaceholder(state.partText(entry, partIndex))) continue
      const placeholder = placeholderOf(part.toolName)
      if (placeholder.tokens >= tokens) continue
      clearings.push({
        entry: index,
        part: partIndex,
        text: placeholder.text,
        reason: 'old-tool-output',
        tokens: tokens - placeholder.tokens,
        bytes: savedBytes(part, placeholder.text, input),
        isError: part.isError === true,
      })
    }
  }
  return clearings.reverse()
}

interface Placeholder {
  readonly text: string
  readonly tokens: number
}

/** Made and counted once for each tool. */
function createPlaceholders(ports: Ports): (toolName: string | undefined) => Placeholder {
  const made = new Map<string | undefined, Placeholder>()
  return (toolName) => {
    const known = made.get(toolName)
    if (known !== undefined) return known
    const text = clearedText(toolName)
    const placeholder = { text, tokens: ports.countTokens(text) }
    made.set(toolName, placeholder)
    return placeholder
  }
}
