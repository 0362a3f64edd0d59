import { ERRORS, PrecisError } from '../engine/errors.ts'
import { CliError } from './cli-error.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { printable, wrapText } from './report/text-width.ts'
import type { Terminal } from './terminal.ts'

/** A reader mends a few faults at a time. */
const MAX_FAULTS = 20

export interface FailureContext {
  readonly inputName: string
  /** The option that set what a pointer leads to. */
  readonly optionAt: (pointer: string) => string | undefined
}

/** Tells what went wrong and where, without a stack trace, and how the process ends. */
export function reportFailure(
  error: unknown,
  context: FailureContext,
  terminal: Terminal,
): ExitCode {
  const { lines, code } = describeFailure(error, context)
  const [first = '', ...others] = lines
  const wrapped = [
    ...wrapText(printable(`precis: ${first}`), terminal.width),
    ...others.flatMap((line) =>
      wrapText(printable(line), terminal.width - 2).map((part) => `  ${part}`),
    ),
  ]
  terminal.write(`${wrapped.map((line) => terminal.paint('red', line)).join('\n')}\n`)
  return code
}

function describeFailure(error: unknown, { inputName, optionAt }: FailureContext) {
  if (error instanceof CliError) return { lines: [error.message], code: EXIT.usage }
  if (error instanceof PrecisError && ERRORS[error.code].status < 500) {
    const { faults, message } = error
    const more = faults.length - MAX_FAULTS
    return {
      lines: [
        `${inputName}: ${message}`,
        ...faults.slice(0, MAX_FAULTS).map(({ pointer, rule, detail }) => {
          const place = optionAt(pointer) ?? pointer
          return `${place === '' ? '' : `${place}: `}${detail} (${rule})`
        }),
        ...(more > 0 ? [`and ${more} more`] : []),
      ],
      code: EXIT.usage,
    }
  }
  // The message of an unexpected error may quote the input.
  const name = error instanceof Error ? error.name : 'error'
  return { lines: [`unexpected ${name}; this is a fault of precis`], code: EXIT.internal }
}
