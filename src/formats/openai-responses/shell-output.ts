/** Results of `shell_call`: what the commands wrote, in chunks, each with its outcome. */
import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import { isArray, isRecord } from '../json.ts'

export interface ShellChunk {
  readonly stdout: string
  readonly stderr: string
  /** It ran out of time, or its exit code is not 0. Undefined where it does not say. */
  readonly hasFailed: boolean | undefined
}

/** Undefined where the output has another shape than the one that is documented, or is empty. */
export function chunksOf(output: JsonValue | undefined): readonly ShellChunk[] | undefined {
  if (!isArray(output) || output.length === 0) return undefined
  const chunks: ShellChunk[] = []
  for (const chunk of output) {
    if (!isRecord(chunk)) return undefined
    const { stdout, stderr, outcome } = chunk
    if (typeof stdout !== 'string' || typeof stderr !== 'string') return undefined
    chunks.push({ stdout, stderr, hasFailed: isRecord(outcome) ? hasFailed(outcome) : undefined })
  }
  return chunks
}

/** The same chunks with their outcomes; the first now says `text`, the others nothing. */
export function rewriteChunks(output: JsonValue | undefined, text: string): JsonValue {
  const chunks = isArray(output) ? output : []
  return chunks.map((chunk, index) =>
    isRecord(chunk) ? { ...chunk, stdout: index === 0 ? text : '', stderr: '' } : chunk,
  )
}

function hasFailed({ type, exit_code: exitCode }: JsonObject): boolean | undefined {
  if (type === 'timeout') return true
  return typeof exitCode === 'number' ? exitCode !== 0 : undefined
}
