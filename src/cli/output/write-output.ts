import { realpath, writeFile } from 'node:fs/promises'
import { CliError } from '../cli-error.ts'
import type { CliProcess } from '../command-context.ts'
import { toCliError } from '../input/open-source.ts'

/** Throws CliError where the output would take the place of the file that it was made from. */
export async function checkOutputFile(
  output: string | undefined,
  transcript: string | undefined,
  { option, is } = { option: '--output', is: 'the transcript' },
): Promise<void> {
  if (output === undefined || transcript === undefined) return
  const [target, source] = await Promise.all([pathOf(output), pathOf(transcript)])
  if (target !== source) return
  throw new CliError(`${option} ${output}: this is ${is} itself; name another file`)
}

/** To the file, or to the standard output where there is none. */
export async function writeOutput(
  bytes: Buffer,
  output: string | undefined,
  { writeOut }: Pick<CliProcess, 'writeOut'>,
): Promise<void> {
  if (output === undefined) {
    await writeOut(bytes)
    return
  }
  try {
    await writeFile(output, bytes)
  } catch (error) {
    throw toCliError(error, output)
  }
}

async function pathOf(file: string): Promise<string> {
  try {
    return await realpath(file)
  } catch {
    return file
  }
}
