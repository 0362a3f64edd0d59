import type { SeededRandom } from '../../../test/helpers/seeded-random.ts'
import type { RawScript, Step } from '../types.ts'

export type Script = Pick<RawScript, 'steps' | 'answers' | 'statuses'>
export type DrawScript = (random: SeededRandom) => Script

/** Nothing is promised about what comes, but that the connection ends. */
const ANY = [0, 1] as const
const ONE = [1, 1] as const

export const write = (text: string | Buffer): Step => ({
  write: typeof text === 'string' ? Buffer.from(text, 'latin1') : text,
})

/** Long enough for an answer, if there is to be one. */
const PATIENCE_MS = 60

/** The text, and then nothing more from us: the other side has all that there will be. */
export function sent(text: string | Buffer, rest: Partial<Script> = {}): Script {
  return { steps: [write(text), { endAfterMs: PATIENCE_MS }], answers: ANY, ...rest }
}

/** Sent whole, with the connection left open for the other side to close. */
export function awaited(text: string | Buffer, rest: Partial<Script> = {}): Script {
  return { steps: [write(text)], answers: ONE, ...rest }
}

export const HOST = 'Host: 127.0.0.1\r\n'
export const CLOSE = 'Connection: close\r\n'

/** A head without its last empty line. */
export function head(line: string, ...fields: readonly string[]): string {
  return `${line}\r\n${HOST}${fields.map((field) => `${field}\r\n`).join('')}`
}

/** A whole POST, after whose answer the connection closes. */
export function post(path: string, body: string, ...fields: readonly string[]): string {
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  const type = 'Content-Type: application/json'
  return `${head(`POST ${path} HTTP/1.1`, type, length, 'Connection: close', ...fields)}\r\n${body}`
}

export function get(path: string, ...fields: readonly string[]): string {
  return `${head(`GET ${path} HTTP/1.1`, ...fields)}\r\n`
}

/** A conversation that is compacted in no time. */
export const BODY = JSON.stringify({
  format: 'openai-chat',
  messages: [{ role: 'user', content: 'What is left to do?' }],
  targetTokens: 500,
})
