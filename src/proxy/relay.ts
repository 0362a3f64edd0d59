import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { endToEndHeaders } from './hop-by-hop.ts'
import type { RelayResult } from './names.ts'
import type { BodyStart } from './overflow/read-start.ts'
import type { UpstreamAnswer } from './upstream.ts'

export interface RelayOptions {
  /** Names and values of the service's own headers, in turn. */
  readonly ownHeaders: readonly string[]
  /** What has been read of the body already. */
  readonly start?: BodyStart | undefined
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal
}

/** RFC 9112, reason-phrase. Others cannot be sent on, and nobody needs them. */
const REASON = /^[\t\x20-\x7e\x80-\xff]+$/

const NONE: ReadonlySet<string> = new Set()
const NOTHING = Buffer.alloc(0)

/**
 * Passes an answer on: status, headers and bytes as they come, no faster than the caller takes them.
 * An answer that breaks off upstream breaks off for the caller, and never ends as if it were whole.
 */
export async function relay(
  { status, statusText, headers, body }: UpstreamAnswer,
  response: ServerResponse,
  { ownHeaders, start, signal }: RelayOptions,
): Promise<RelayResult> {
  let isBroken = false
  const onBroken = () => {
    if (signal.aborted) return
    isBroken = true
    breakOff(response)
  }
  // Heard before the pipeline hears it, which only closes.
  body.once('error', onBroken)
  const passedOn = [...endToEndHeaders(headers, NONE), ...ownHeaders]
  if (REASON.test(statusText)) response.writeHead(status, statusText, passedOn)
  else response.writeHead(status, passedOn)
  // A stream's first event may be long in coming; that it has begun is news by itself. Not
  // flushHeaders: that writes bytes beyond ASCII as UTF-8, which they are not.
  response.write(NOTHING)
  try {
    if (start !== undefined && start.bytes.length > 0) await written(response, start.bytes)
    if (start?.isWhole === true || body.readableEnded) response.end()
    else {
      // It broke while its start was read.
      if (body.destroyed) onBroken()
      await pipeline(body, response)
    }
    return 'complete'
  } catch {
    response.destroy()
    return isBroken ? 'upstream-broke' : 'caller-left'
  }
}

/** What has been read must have left before the rest can break off. */
function written(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    response.once('close', resolve)
    response.write(bytes, (error) => (error ? reject(error) : resolve()))
  })
}

/** Without chunks or a length, closing is how a whole answer ends: only a reset tells the difference. */
function breakOff(response: ServerResponse): void {
  const { socket, req } = response
  if (req.httpVersion === '1.0') socket?.resetAndDestroy()
  response.destroy()
}
