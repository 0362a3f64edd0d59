import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import {
  type ByteSource,
  createBufferSource,
  createFileSource,
} from '../../transcripts/claude-code/byte-source.ts'
import { CliError } from '../cli-error.ts'

export interface OpenedInput {
  readonly source: ByteSource
  /** What messages call it. */
  readonly name: string
  /** Path of a regular file. */
  readonly path: string | undefined
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EISDIR: 'it is a directory',
}

/** The file of that name, or the standard input where there is none or it is `-`. */
export async function openInput(
  file: string | undefined,
  stdin: AsyncIterable<Buffer | string>,
): Promise<OpenedInput> {
  if (file === undefined || file === '-') {
    return { source: createBufferSource(await collect(stdin)), name: 'stdin', path: undefined }
  }
  try {
    const stats = await stat(file)
    if (stats.isDirectory()) throw new CliError(`${file}: ${REASONS.EISDIR}`)
    if (stats.isFile()) return { source: await createFileSource(file), name: file, path: file }
    // A pipe by name cannot be read twice.
    const bytes = await collect(createReadStream(file))
    return { source: createBufferSource(bytes), name: file, path: undefined }
  } catch (error) {
    throw toCliError(error, file)
  }
}

export function toCliError(error: unknown, file: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  if (code === undefined || error instanceof CliError) return error
  return new CliError(`${file}: ${REASONS[code] ?? code}`)
}

async function collect(chunks: AsyncIterable<Buffer | string>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const chunk of chunks) all.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
  return Buffer.concat(all)
}
