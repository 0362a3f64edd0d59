import { type Overflow, overflowIn } from './recognise.ts'

export interface EventWatch {
  /** Shown the stream piece by piece; true once it has told what it will. */
  readonly push: (piece: Buffer) => boolean
  readonly overflow: () => Overflow | undefined
}

/** What the Responses API sends before it has looked at the prompt. */
const PRELIMINARY: ReadonlySet<string> = new Set([
  'response.created',
  'response.in_progress',
  'response.queued',
])

const FAILED: ReadonlySet<string> = new Set(['error', 'response.failed'])

/** An event ends with an empty line, whichever way lines end. */
const END_OF_EVENT = /\r?\n\r?\n/

/**
 * Looks at the first events of a stream of the Responses API, which reports a prompt that is too long
 * with status 200 and an event. Any event that begins the answer ends the watch.
 */
export function createEventWatch(): EventWatch {
  let text = ''
  let overflow: Overflow | undefined
  return {
    push: (piece) => {
      // The names of events and the members that are read are ASCII, wherever a piece is cut.
      text += piece.toString('latin1')
      for (;;) {
        const end = END_OF_EVENT.exec(text)
        if (end === null) return false
        const event = text.slice(0, end.index)
        text = text.slice(end.index + end[0].length)
        const data = dataOf(event)
        const type = typeof data?.type === 'string' ? data.type : ''
        if (FAILED.has(type)) overflow = overflowIn(errorOf(data))
        if (!PRELIMINARY.has(type)) return true
      }
    },
    overflow: () => overflow,
  }
}

interface EventData {
  readonly type?: unknown
  readonly response?: unknown
}

function dataOf(event: string): EventData | undefined {
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'))
  try {
    const data: unknown = JSON.parse(lines.map((line) => line.slice(5)).join('\n'))
    return typeof data === 'object' && data !== null ? data : undefined
  } catch {
    return undefined
  }
}

/** Beside its error a failed response repeats the request, in which everything may stand. */
function errorOf(data: EventData | undefined): unknown {
  const { response } = data ?? {}
  if (typeof response !== 'object' || response === null) return data
  return 'error' in response ? { error: response.error } : undefined
}
