/**
 * Clears old tool output: outside the newest output, oldest first and failures last, and only as
 * much as the target needs. The call stays, so that the tool can be run again.
 */
import type { Edit } from '../edit.ts'
import { clearedText, isPlaceholder } from '../marker.ts'
import type { Ports } from '../ports.ts'
import type { StageInput, StageOutput } from '../stage.ts'

interface Candidate {
  readonly entry: number
  readonly part: number
  readonly text: string
  readonly savings: number
  readonly isError: boolean
}

export function prune(input: StageInput, ports: Ports): StageOutput {
  const candidates = collectCandidates(input, ports)
  const possible = candidates.reduce((sum, candidate) => sum + candidate.savings, 0)
  if (possible < input.options.prune.minimumSavings) return { edits: [] }

  const inOrder = [
    ...candidates.filter((candidate) => !candidate.isError),
    ...candidates.filter((candidate) => candidate.isError),
  ]
  return {
    edits: chooseEnough(inOrder, input.state.total - input.target).map(
      ({ entry, part, text }): Edit => ({
        op: 'replace-text',
        entry,
        part,
        text,
        reason: 'old-tool-output',
      }),
    ),
  }
}

/** Takes in order until the excess is gone, then spares again, the last taken first, what may stay. */
function chooseEnough(candidates: readonly Candidate[], excess: number): Candidate[] {
  let left = excess
  const taken: Candidate[] = []
  for (const candidate of candidates) {
    if (left <= 0) break
    taken.push(candidate)
    left -= candidate.savings
  }
  const cleared: Candidate[] = []
  for (const candidate of taken.reverse()) {
    if (left + candidate.savings <= 0) left += candidate.savings
    else cleared.push(candidate)
  }
  return cleared
}

/** Oldest first. Cost: one count of a placeholder for each distinct tool. */
function collectCandidates(input: StageInput, ports: Ports): Candidate[] {
  const { transcript, state, protection, options } = input
  const { protectTokens, keepResults, protectedTools } = options.prune
  const isProtectedTool = new Set(protectedTools)
  const placeholderOf = createPlaceholders(ports)
  const candidates: Candidate[] = []
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
      candidates.push({
        entry: index,
        part: partIndex,
        text: placeholder.text,
        savings: tokens - placeholder.tokens,
        isError: part.isError === true,
      })
    }
  }
  return candidates.reverse()
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
