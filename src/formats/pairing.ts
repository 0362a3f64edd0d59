import type { DraftEntry, DraftPart } from './draft.ts'
import type { WarningCollector } from './warnings.ts'

/** Says where a place is, as a JSON Pointer: asked for only where there is something to warn of. */
export type PlacePointer = (entry: number, position: number) => string

export interface Pairing {
  /**
   * `part` is undefined for calls that stay opaque. `position` says where in its message it stands,
   * in the numbers of the format's `PlacePointer`. `isOwnId` is false where the adapter made the key
   * up (by name or by position), so that its reuse is nothing to warn of.
   */
  readonly addCall: (
    entry: DraftEntry,
    part: DraftPart | undefined,
    position: number,
    key: string,
    isOwnId?: boolean,
  ) => void
  readonly addResult: (
    entry: DraftEntry,
    part: DraftPart | undefined,
    position: number,
    key: string,
  ) => void
  /**
   * Fills in the unresolved calls. A call without a result is pending, and no cause for a warning,
   * where `isPending` says so.
   */
  readonly finish: (isPending: (entry: DraftEntry) => boolean) => void
}

interface Call {
  /** Unique in the conversation, also where the caller uses an id again. */
  readonly id: string
  readonly entry: DraftEntry
  readonly position: number
  readonly toolName: string | undefined
  isAnswered: boolean
  isLinked: boolean
}

/** What is known of one id. */
interface Key {
  /** No numbered name below this is free, so that a search never starts again. */
  nextNumber: number
  latest: Call
  /** Calls without a result, the latest last. */
  readonly unanswered: Call[]
}

/**
 * Pairs calls with results in the order of the conversation: a result belongs to the nearest earlier
 * call with its id that has no result yet. Call and result get the same `callId` and, where they
 * stand in different entries, share a link label. An id that is used again gets a name and a label
 * of its own, so that exchanges far apart are not chained together. Linear in calls plus results.
 */
export function createPairing(warnings: WarningCollector, pointerTo: PlacePointer): Pairing {
  const calls: Call[] = []
  const keys = new Map<string, Key>()
  const givenIds = new Set<string>()

  /**
   * The first numbered name that nobody has. A name belongs to one key and one number, and numbers
   * only go up: all searches together look at no more names than there are calls.
   */
  const numberedId = (key: string, firstNumber: number): { id: string; nextNumber: number } => {
    let number = firstNumber
    let id = `${key}#${number}`
    while (keys.has(id) || givenIds.has(id)) {
      number += 1
      id = `${key}#${number}`
    }
    givenIds.add(id)
    return { id, nextNumber: number + 1 }
  }

  /** The key itself the first time, unless that name was given to the call of another key. */
  const nameCall = (key: string, known: Key | undefined): { id: string; nextNumber: number } => {
    if (known !== undefined) return numberedId(key, known.nextNumber)
    return givenIds.has(key) ? numberedId(key, 2) : { id: key, nextNumber: 2 }
  }

  return {
    addCall: (entry, part, position, key, isOwnId = true) => {
      const known = keys.get(key)
      const { id, nextNumber } = nameCall(key, known)
      const toolName = part?.toolName
      const call: Call = { id, entry, position, toolName, isAnswered: false, isLinked: false }
      calls.push(call)
      if (part !== undefined) part.callId = id
      if (known === undefined) {
        keys.set(key, { nextNumber, latest: call, unanswered: [call] })
        return
      }
      known.nextNumber = nextNumber
      known.latest = call
      known.unanswered.push(call)
      if (!isOwnId) return
      const at = pointerTo(entry.index, position)
      warnings.add('duplicate-call-id', 'an earlier tool call has the same id', at)
    },

    addResult: (entry, part, position, key) => {
      const known = keys.get(key)
      const open = known?.unanswered.pop()
      const call = open ?? known?.latest
      if (part !== undefined) part.callId = call?.id ?? key
      if (call === undefined) {
        const at = pointerTo(entry.index, position)
        warnings.add('orphan-tool-result', 'no earlier tool call has this id', at)
        return
      }
      if (open === undefined) {
        const at = pointerTo(entry.index, position)
        warnings.add('duplicate-tool-result', 'the tool call with this id already has a result', at)
      }
      call.isAnswered = true
      link(call, entry)
      if (part !== undefined && call.toolName !== undefined) part.toolName = call.toolName
    },

    finish: (isPending) => {
      for (const { entry, id, isAnswered, position } of calls) {
        if (isAnswered) continue
        entry.unresolvedCalls.push(id)
        if (isPending(entry)) continue
        warnings.add(
          'unanswered-tool-call',
          'the tool call has no result, and the conversation goes on after it',
          pointerTo(entry.index, position),
        )
      }
    },
  }
}

function link(call: Call, result: DraftEntry): void {
  if (call.entry === result) return
  const label = `call:${call.id}`
  if (!call.isLinked) call.entry.links.push(label)
  call.isLinked = true
  result.links.push(label)
}
