import { CommanderError } from 'commander'
import type { CliProcess } from './command-context.ts'
import { budgetCommand } from './commands/budget.ts'
import { checkCommand } from './commands/check.ts'
import { compactCommand } from './commands/compact.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { reportFailure } from './failure.ts'
import { createProgram } from './program.ts'

/** Runs what the arguments say (without the program's own name) and gives the exit code. Never throws. */
export async function runCli(args: readonly string[], process: CliProcess): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.done
  let written = Promise.resolve()
  const program = createProgram({
    compact: async (file, flags) => {
      exitCode = await compactCommand(process, file, flags)
    },
    check: async (file, flags) => {
      exitCode = await checkCommand(process, file, flags)
    },
    budget: async (file, flags) => {
      exitCode = await budgetCommand(process, file, flags)
    },
  })
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => {
        written = written.then(() => process.writeOut(text))
      },
      writeErr: process.err.write,
      outputError: (text, write) => write(`precis: ${text.replace(/^error: /, '')}`),
      getOutHelpWidth: () => process.out.width,
      getErrHelpWidth: () => process.err.width,
    })
  }
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    exitCode =
      error instanceof CommanderError
        ? error.exitCode === 0
          ? EXIT.done
          : EXIT.usage
        : reportFailure(error, { inputName: 'precis', optionAt: () => undefined }, process.err)
  }
  await written
  return exitCode
}
