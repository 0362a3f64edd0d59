/** The transcript while an adapter is still building it: pairing fills in ids, links and names. */
import type { EntryFlags, JsonValue, PartKind, PartMedia, Role } from '../engine/transcript.ts'

export interface DraftPart {
  kind: PartKind
  text: string
  tokens: number
  rewritable: boolean
  callId?: string
  toolName?: string
  toolArguments?: JsonValue
  isError?: boolean
  media?: PartMedia
}

export interface DraftEntry {
  index: number
  id?: string
  role: Role
  speaker?: string
  parts: DraftPart[]
  framingTokens: number
  links: string[]
  flags: EntryFlags
  unresolvedCalls: string[]
}

export const NO_FLAGS: EntryFlags = Object.freeze({})

export function createEntry(index: number, role: Role, framingTokens: number): DraftEntry {
  return {
    index,
    role,
    parts: [],
    framingTokens,
    links: [],
    flags: NO_FLAGS,
    unresolvedCalls: [],
  }
}
