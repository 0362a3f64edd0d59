/**
 * Keeps the first message, the user's first task and the most recent messages, and leaves a counting
 * marker for the middle. Applied only if that alone meets the target, so that a summary can be
 * skipped (RubynCode's ContextCollapse).
 */
import type { Edit } from '../edit.ts'
import type { StageInput, StageOutput } from '../stage.ts'

/** Anchor and marker: with no more than this beyond the recent ones there is no middle. */
const MESSAGES_BESIDE_RECENT = 2

export function collapse(input: StageInput): StageOutput {
  const { transcript, state, protection, groups } = input
  const { keepRecent } = input.options.collapse
  const alive = transcript.entries.filter(({ index }) => state.isAlive(index))
  if (alive.length <= keepRecent + MESSAGES_BESIDE_RECENT) return { edits: [] }

  const kept = [...alive.slice(0, 1), ...alive.slice(alive.length - keepRecent)]
  // A call stays with its results: the tail must not open with half an exchange.
  const keptGroups = new Set<number>()
  for (const { index, flags } of kept) {
    // The marker is ours to update, wherever it stands.
    if (flags.marker !== true) keptGroups.add(groups.of[index] ?? index)
  }
  const edits: Edit[] = []
  for (const entry of alive) {
    if (protection.level(entry.index) !== 'free') continue
    if (keptGroups.has(groups.of[entry.index] ?? entry.index)) continue
    edits.push({ op: 'drop', entry: entry.index, reason: 'snipped' })
  }
  return { edits, marker: 'snipped', onlyIfItFits: true }
}
