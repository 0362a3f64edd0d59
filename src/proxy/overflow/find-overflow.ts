import { codingsOf, decodeBody } from '../content-encoding.ts'
import type { RawHeaders } from '../hop-by-hop.ts'
import type { UpstreamAnswer } from '../upstream.ts'
import { type BodyStart, readStart } from './read-start.ts'
import { mayBeOverflow, type Overflow, recogniseOverflow } from './recognise.ts'
import { createEventWatch } from './watch-events.ts'

export interface FoundOverflow {
  /** What was read of the answer to find out. */
  readonly start?: BodyStart
  readonly overflow?: Overflow
}

/** Errors of providers have a few hundred bytes; what is larger is passed on unread. */
const MAX_ERROR_BYTES = 64 * 1024

/** An error that does not come whole in this time is passed on as it comes. */
const MAX_ERROR_MS = 5_000

/** The first events repeat instructions and tools of the request. */
const MAX_WATCHED_BYTES = 1024 * 1024

/** A prompt is refused at once; who has begun to think would be held up for nothing. */
const MAX_WATCHED_MS = 1_000

/**
 * Whether an answer says that the conversation is too long.
 *
 * @param watchEvents look at the first events of a stream too, which holds them back for a moment
 */
export async function findOverflow(
  answer: UpstreamAnswer,
  watchEvents: boolean,
): Promise<FoundOverflow> {
  const { status, headers, body } = answer
  if (mayBeOverflow(status)) {
    const start = await readStart(body, { maxBytes: MAX_ERROR_BYTES, maxMs: MAX_ERROR_MS })
    if (!start.isWhole) return { start }
    return found(start, recogniseOverflow(status, await unpacked(start.bytes, headers)))
  }
  if (!watchEvents || status !== 200 || !isEventStream(headers)) return {}
  const watch = createEventWatch()
  const start = await readStart(body, {
    maxBytes: MAX_WATCHED_BYTES,
    maxMs: MAX_WATCHED_MS,
    isEnough: watch.push,
  })
  return found(start, watch.overflow())
}

function found(start: BodyStart, overflow: Overflow | undefined): FoundOverflow {
  return overflow === undefined ? { start } : { start, overflow }
}

/** A packed stream would have to be unpacked piece by piece, and hardly any provider packs one. */
function isEventStream(headers: RawHeaders): boolean {
  return (
    valuesOf(headers, 'content-type').toLowerCase().startsWith('text/event-stream') &&
    codingsOf(valuesOf(headers, 'content-encoding')).length === 0
  )
}

/** Empty where it cannot be unpacked: the status alone has to say it then. */
async function unpacked(bytes: Buffer, headers: RawHeaders): Promise<Buffer> {
  const codings = codingsOf(valuesOf(headers, 'content-encoding'))
  return (await decodeBody(bytes, codings, MAX_ERROR_BYTES)) ?? Buffer.alloc(0)
}

function valuesOf(headers: RawHeaders, name: string): string {
  const values: string[] = []
  for (let index = 0; index + 1 < headers.length; index += 2) {
    if (headers[index]?.toLowerCase() === name) values.push(headers[index + 1] ?? '')
  }
  return values.join(',')
}
