import { readFile } from 'node:fs/promises'
import type { Recording } from '../decide/replay/recording.ts'
import { CliError } from './cli-error.ts'
import { toCliError } from './input/open-source.ts'

/** What models said, as a file: the recording itself, or a whole answer or report that carries one. */
export async function readRecording(file: string): Promise<Recording> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    throw toCliError(error, file)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new CliError(`--replay ${file}: it is not JSON`)
  }
  // Its members are checked with the rest of the request.
  if (typeof value !== 'object' || value === null || !('recording' in value)) {
    return value as Recording
  }
  return value.recording as Recording
}

export function encodeRecording(recording: Recording | undefined): Buffer {
  return Buffer.from(`${JSON.stringify(recording)}\n`)
}
