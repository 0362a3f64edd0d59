import type { SessionRecord } from './session-record.ts'

/**
 * The records of the chain in the order in which the next request sends them. Claude Code writes one
 * record per content block, and runs tools while the answer still streams: the blocks of one API
 * message and the results of its calls lie between each other, and where calls ran in parallel only
 * one of their branches is on the chain. The API wants all blocks of a message together and all their
 * results right after them; records of one role side by side it joins itself.
 */
export function toSendOrder(
  chain: readonly SessionRecord[],
  all: Iterable<SessionRecord>,
): readonly SessionRecord[] {
  const onChain = new Set(chain)
  const groups = new Map<string, SessionRecord[]>()
  const answers = new Map<string, SessionRecord>()
  const isSidechain = chain[0]?.isSidechain
  for (const record of all) {
    if (record.isSidechain !== isSidechain) continue
    if (record.messageId !== undefined) {
      const group = groups.get(record.messageId)
      if (group === undefined) groups.set(record.messageId, [record])
      else group.push(record)
    }
    for (const call of record.results) {
      const known = answers.get(call)
      if (known === undefined || (onChain.has(record) && !onChain.has(known))) {
        answers.set(call, record)
      }
    }
  }
  const sent = new Set<SessionRecord>()
  for (const record of chain) {
    if (sent.has(record)) continue
    if (record.kind !== 'assistant') {
      sent.add(record)
      continue
    }
    const pieces = piecesOf(record, groups, onChain)
    for (const piece of pieces) sent.add(piece)
    for (const { calls } of pieces) {
      for (const call of calls) {
        const answer = answers.get(call)
        if (answer !== undefined) sent.add(answer)
      }
    }
  }
  return [...sent].filter(({ kind, isBlank }) => isSent(kind) && !isBlank)
}

/** All records of one API message, in the order of the file; a call that is written twice counts once. */
function piecesOf(
  record: SessionRecord,
  groups: ReadonlyMap<string, readonly SessionRecord[]>,
  onChain: ReadonlySet<SessionRecord>,
): readonly SessionRecord[] {
  if (record.messageId === undefined) return [record]
  const group = groups.get(record.messageId) ?? [record]
  const calls = new Set(group.filter((piece) => onChain.has(piece)).flatMap((piece) => piece.calls))
  return group.filter((piece) => {
    if (onChain.has(piece)) return true
    // Off the chain, what is no call is a copy or a branch that was left.
    if (piece.calls.length === 0 || piece.calls.some((call) => calls.has(call))) return false
    for (const call of piece.calls) calls.add(call)
    return true
  })
}

function isSent(kind: SessionRecord['kind']): boolean {
  return kind === 'user' || kind === 'assistant'
}
