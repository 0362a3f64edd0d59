import type { Answer } from './types.ts'

export interface ReadAnswers {
  /** Final ones; those of 1xx are left out. */
  readonly answers: readonly Answer[]
  /** What is no whole answer; empty where all was read. */
  readonly rest: Buffer
  /** Why the bytes are no answer at all; undefined where they are. */
  readonly fault: string | undefined
}

const HEAD_END = '\r\n\r\n'
const STATUS_LINE = /^HTTP\/1\.[01] ([1-5]\d\d) [\t\x20-\x7e]*$/
const NO_BODY = new Set([204, 304])

/**
 * Reads the answers of a connection from its bytes, strictly and apart from any library: what was
 * smuggled in must not be hidden by a reader that means well.
 */
export function readAnswers(bytes: Buffer): ReadAnswers {
  const answers: Answer[] = []
  let at = 0
  for (;;) {
    const end = bytes.indexOf(HEAD_END, at)
    if (end === -1) break
    const [line = '', ...fields] = bytes.toString('latin1', at, end).split('\r\n')
    const status = Number(STATUS_LINE.exec(line)?.[1])
    if (!Number.isInteger(status))
      return { answers, rest: bytes.subarray(at), fault: 'no status line' }
    const headers = readFields(fields)
    if (headers === undefined)
      return { answers, rest: bytes.subarray(at), fault: 'no header field' }
    const from = end + HEAD_END.length
    const body =
      status < 200 || NO_BODY.has(status) ? emptyAt(from) : readBody(bytes, from, headers)
    if (body === undefined) break
    if (status >= 200) answers.push({ status, headers, body: body.bytes })
    at = body.end
  }
  return { answers, rest: bytes.subarray(at), fault: undefined }
}

interface ReadBody {
  readonly bytes: Buffer
  readonly end: number
}

const emptyAt = (end: number): ReadBody => ({ bytes: Buffer.alloc(0), end })

/** Undefined where it is not whole yet. */
function readBody(
  bytes: Buffer,
  from: number,
  headers: Readonly<Record<string, string>>,
): ReadBody | undefined {
  if (headers['transfer-encoding'] === 'chunked') return readChunks(bytes, from)
  const length = Number(headers['content-length'] ?? 0)
  const end = from + length
  return end > bytes.length ? undefined : { bytes: bytes.subarray(from, end), end }
}

function readChunks(bytes: Buffer, from: number): ReadBody | undefined {
  const chunks: Buffer[] = []
  let at = from
  for (;;) {
    const line = bytes.indexOf('\r\n', at)
    if (line === -1) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16)
    const end = line + 2 + size
    if (end + 2 > bytes.length) return undefined
    chunks.push(bytes.subarray(line + 2, end))
    at = end + 2
    if (size === 0) return { bytes: Buffer.concat(chunks), end: at }
  }
}

function readFields(lines: readonly string[]): Record<string, string> | undefined {
  const fields: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon < 1) return undefined
    fields[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
  }
  return fields
}
