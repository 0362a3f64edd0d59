import { createHash } from 'node:crypto'

/** A line of the transcript. */
export type SessionLine = Readonly<Record<string, unknown>>

export interface RecordFactory {
  /** A record on the chain, and from now on the one that the next is a child of. */
  readonly add: (parts: SessionLine) => string
  /** A record on the chain whose child is another one. */
  readonly addAside: (parent: string | null, parts: SessionLine) => string
  /** A line that stands outside the chain. */
  readonly addLoose: (line: SessionLine) => void
  /** The id of the last record of the chain. */
  readonly last: () => string | null
  /** The next record is a child of this one. */
  readonly returnTo: (uuid: string | null) => void
  readonly lines: () => readonly SessionLine[]
}

const SECONDS_APART = 7

/** Ids and times follow from the number of the record, so that every run writes the same file. */
export function createRecords(startedAt: string): RecordFactory {
  const lines: SessionLine[] = []
  let last: string | null = null
  const stamp = () => ({
    timestamp: new Date(Date.parse(startedAt) + lines.length * SECONDS_APART * 1_000).toISOString(),
  })
  const addAside: RecordFactory['addAside'] = (parentUuid, parts) => {
    const uuid = idOf(`record ${lines.length}`)
    lines.push({
      parentUuid,
      isSidechain: false,
      userType: 'external',
      cwd: '/home/dev/courier-desk',
      sessionId: idOf('session'),
      version: '2.1.39',
      gitBranch: 'payment-retries',
      ...parts,
      uuid,
      ...stamp(),
    })
    return uuid
  }
  return {
    add: (parts) => {
      last = addAside(last, parts)
      return last
    },
    addAside,
    addLoose: (line) => {
      lines.push(line)
    },
    last: () => last,
    returnTo: (uuid) => {
      last = uuid
    },
    lines: () => lines,
  }
}

/** Looks like a UUID of version 4. */
export function idOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
