import { once } from 'node:events'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Transform } from 'node:stream'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { LlmFault } from './llm-fault.ts'
import type { LiveRecord } from './recorded-request.ts'

export interface Delivery {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  /** The body in the pieces in which it is sent. */
  readonly pieces: readonly string[]
  /** Sent as one document with its length, or chunked as it comes. */
  readonly isStream: boolean
  readonly errorEvent: string
}

export interface Pace {
  /** Between two pieces. */
  readonly delayMs: number
  /** Pieces are cut again into so many bytes, in the middle of characters too; 0 leaves them whole. */
  readonly splitBytes: number
}

/** Sends an answer, or whatever the fault makes of it. Waits for the reader where it is slow. */
export async function sendAnswer(
  delivery: Delivery,
  fault: LlmFault | undefined,
  pace: Pace,
  response: ServerResponse,
  record: LiveRecord,
  encoding: 'gzip' | 'br' | undefined,
): Promise<void> {
  const { status, headers, pieces, isStream } = delivery
  const all = Buffer.from(pieces.join(''))
  const isWhole = fault === undefined && !isStream && encoding === undefined
  record.status = status
  response.writeHead(status, {
    ...(headers as Record<string, string | string[]>),
    ...(encoding !== undefined && { 'content-encoding': encoding, vary: 'accept-encoding' }),
    ...(isWhole && { 'content-length': all.length }),
  })
  // The head of a stream goes out before its first event, as it does at a provider.
  if (isStream) response.flushHeaders()
  const sink = encoding === undefined ? response : encoder(encoding)
  if (sink !== response) (sink as Transform).pipe(response)
  const write = async (bytes: Buffer): Promise<void> => {
    if (response.destroyed) return
    record.sentBytes += bytes.length
    if (!sink.write(bytes)) await Promise.race([once(sink, 'drain'), record.closed])
  }

  const planned = fault?.kind === 'trickle' ? cut([all], fault.bytes ?? 1) : plan(delivery, pace)
  const last = lastPiece(fault)
  for (const piece of planned.slice(0, last)) {
    if (response.destroyed) return
    await write(piece)
    if (fault?.kind === 'trickle') await delay(fault.everyMs)
    else if (pace.delayMs > 0) await delay(pace.delayMs)
    // Each piece is a write of its own, and whoever went away has been noticed before the next.
    else if (isStream) await nextTurn()
  }
  switch (fault?.kind) {
    case 'hang-mid-answer':
      return
    case 'reset-mid-answer':
      // What was written is out before the connection is cut.
      await delay(20)
      response.socket?.resetAndDestroy()
      return
    case 'error-mid-answer':
      await write(Buffer.from(delivery.errorEvent))
      break
  }
  sink.end()
}

function lastPiece(fault: LlmFault | undefined): number | undefined {
  return fault !== undefined && 'afterEvents' in fault ? fault.afterEvents : defaultLast(fault)
}

function defaultLast(fault: LlmFault | undefined): number | undefined {
  return fault?.kind.endsWith('-mid-answer') ? 2 : undefined
}

function plan({ pieces, isStream }: Delivery, { splitBytes }: Pace): readonly Buffer[] {
  const buffers = pieces.map((piece) => Buffer.from(piece))
  if (!isStream) return cut(buffers, 64)
  return splitBytes > 0 ? cut(buffers, splitBytes) : buffers
}

function cut(buffers: readonly Buffer[], size: number): Buffer[] {
  return buffers.flatMap((buffer) =>
    Array.from({ length: Math.ceil(buffer.length / size) }, (_, index) =>
      buffer.subarray(index * size, (index + 1) * size),
    ),
  )
}

/** Flushes what it has at each write, as a provider's edge does for a stream. */
function encoder(encoding: 'gzip' | 'br'): Transform {
  return encoding === 'gzip'
    ? createGzip({ flush: constants.Z_SYNC_FLUSH })
    : createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH })
}

/** The encoding that the client takes, the better one first. */
export function acceptedEncoding({
  'accept-encoding': accepted = '',
}: IncomingHttpHeaders): 'gzip' | 'br' | undefined {
  const text = String(accepted)
  return text.includes('br') ? 'br' : text.includes('gzip') ? 'gzip' : undefined
}
