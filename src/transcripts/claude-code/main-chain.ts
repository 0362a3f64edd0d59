import type { Warning } from '../../engine/transcript.ts'
import type { SessionFaults } from './session-faults.ts'
import type { SessionRecord } from './session-record.ts'

/** Every record of a file, found by its id. */
export type RecordIndex = ReadonlyMap<string, SessionRecord>

export interface MainChain {
  /** Oldest first, from the last compaction on. */
  readonly records: readonly SessionRecord[]
  readonly boundary: SessionRecord | undefined
  readonly warnings: readonly Warning[]
}

/**
 * What leads to the last message, by `parentUuid`: branches that were left by a rewind are not on it.
 * It begins behind the last compaction boundary; records that the boundary preserved stand behind its
 * summary, where Claude Code puts them when it resumes the session.
 */
export function followMainChain(
  leaf: SessionRecord,
  index: RecordIndex,
  faults: SessionFaults,
): MainChain {
  const warnings: Warning[] = []
  const { records, boundary } = walkBack(leaf, index, faults)
  const preserved = boundary?.preserved
  if (boundary === undefined || preserved === undefined) return { records, boundary, warnings }
  const segment = segmentOf(preserved.tail, preserved.head, index)
  const anchor = records.findIndex(({ uuid }) => uuid === preserved.anchor)
  if (segment === undefined || (anchor === -1 && preserved.anchor !== boundary.uuid)) {
    warnings.push({
      code: 'preserved-messages-missing',
      message: `The compaction at line ${boundary.line} kept earlier messages that the transcript does not have.`,
    })
    return { records, boundary, warnings }
  }
  const known = new Set(records)
  const added = segment.filter((record) => !known.has(record))
  return {
    records: [...records.slice(0, anchor + 1), ...added, ...records.slice(anchor + 1)],
    boundary,
    warnings,
  }
}

function walkBack(leaf: SessionRecord, index: RecordIndex, faults: SessionFaults) {
  const newestFirst: SessionRecord[] = []
  const seen = new Set<SessionRecord>()
  let boundary: SessionRecord | undefined
  let current: SessionRecord = leaf
  for (;;) {
    if (seen.has(current)) {
      faults.add(current.line, 'acyclic-parents', 'is its own ancestor by parentUuid')
      break
    }
    seen.add(current)
    if (current.kind === 'boundary') {
      boundary = current
      break
    }
    newestFirst.push(current)
    if (current.parent === undefined) break
    const parent = index.get(current.parent)
    if (parent === undefined) {
      faults.add(
        current.line,
        'existing-parent',
        'parentUuid names a record that the transcript does not have',
      )
      break
    }
    current = parent
  }
  return { records: newestFirst.reverse(), boundary }
}

/** Oldest first; undefined where the two ends are not connected. */
function segmentOf(
  tail: string,
  head: string,
  index: RecordIndex,
): readonly SessionRecord[] | undefined {
  const newestFirst: SessionRecord[] = []
  const seen = new Set<SessionRecord>()
  let current = index.get(tail)
  while (current !== undefined && !seen.has(current)) {
    seen.add(current)
    newestFirst.push(current)
    if (current.uuid === head) return newestFirst.reverse()
    current = current.parent === undefined ? undefined : index.get(current.parent)
  }
  return undefined
}
