import { createEngine, type Engine } from './engine.ts'
import type { ExitCode } from './exit-code.ts'
import { reportFailure } from './failure.ts'
import { openInput } from './input/open-source.ts'
import { type InputDocument, readDocument } from './input/read-document.ts'
import { createProgress, type Progress } from './progress.ts'
import { optionAt } from './settings.ts'
import type { Terminal } from './terminal.ts'

/** The process, as the commands see it. */
export interface CliProcess {
  readonly stdin: AsyncIterable<Buffer | string> & { readonly isTTY?: boolean }
  /** Resolves when the bytes are on their way. */
  readonly writeOut: (bytes: Buffer | string) => Promise<void>
  readonly out: Pick<Terminal, 'width' | 'paint'>
  readonly err: Terminal
  /** Aborts when the user interrupts. */
  readonly signal: AbortSignal
}

export interface CommandRun {
  readonly document: InputDocument
  readonly inputName: string
  /** Of a regular file. */
  readonly inputPath: string | undefined
  readonly engine: Engine
  readonly progress: Progress
  readonly process: CliProcess
}

/** From this size on the work takes so long that it is said from the beginning. */
const LONG_BYTES = 4 * 1024 * 1024

/** Reads the input, runs a command on it, and turns what is thrown into a message and an exit code. */
export async function runCommand(
  process: CliProcess,
  file: string | undefined,
  settings: object,
  command: (run: CommandRun) => Promise<ExitCode>,
): Promise<ExitCode> {
  const progress = createProgress(process.err)
  let inputName = file === undefined || file === '-' ? 'stdin' : file
  try {
    if (inputName === 'stdin' && process.stdin.isTTY === true) {
      process.err.write('precis: reading a conversation from the terminal; Ctrl-D ends it\n')
    }
    const { source, name, path } = await openInput(file, process.stdin)
    inputName = name
    progress.tell('reading')
    try {
      const document = await readDocument(source)
      if (document.bytes.length >= LONG_BYTES) progress.expectLong()
      progress.tell('counting')
      const engine = createEngine()
      return await command({ document, inputName, inputPath: path, engine, progress, process })
    } finally {
      await source.close()
      progress.clear()
    }
  } catch (error) {
    progress.clear()
    return reportFailure(
      error,
      { inputName, optionAt: (pointer) => optionAt(pointer, settings) },
      process.err,
    )
  }
}
