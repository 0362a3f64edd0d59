import type { Transcript } from './transcript.ts'

/** Entries that are kept or dropped together, closed over their link labels. */
export interface Groups {
  /** Group number of each entry. Numbers are those of the group's first entry. */
  readonly of: readonly number[]
  /** Group number -> its entries, ascending. Groups of one entry are present too. */
  readonly members: ReadonlyMap<number, readonly number[]>
}

/** Union-find with path halving over the labels: near-linear in entries plus labels. */
export function closeLinks(transcript: Transcript): Groups {
  const { entries } = transcript
  const parent = entries.map((_, index) => index)
  const find = (start: number): number => {
    let node = start
    while (parent[node] !== node) {
      const above = parent[node] ?? node
      parent[node] = parent[above] ?? above
      node = parent[node] ?? node
    }
    return node
  }
  const firstWithLabel = new Map<string, number>()
  for (const entry of entries) {
    // An old marker is ours to replace, whatever turn it stands in: it holds nothing, and nothing it.
    if (entry.flags.marker === true) continue
    for (const label of entry.links) {
      const first = firstWithLabel.get(label)
      if (first === undefined) {
        firstWithLabel.set(label, entry.index)
        continue
      }
      const a = find(first)
      const b = find(entry.index)
      // The smaller number becomes the root, so that a group is named by its first entry.
      if (a !== b) parent[Math.max(a, b)] = Math.min(a, b)
    }
  }
  const of = entries.map((_, index) => find(index))
  const members = new Map<number, number[]>()
  of.forEach((group, index) => {
    // A group is named by its first entry, which therefore comes first.
    if (group === index) members.set(group, [index])
    else members.get(group)?.push(index)
  })
  return { of, members }
}
