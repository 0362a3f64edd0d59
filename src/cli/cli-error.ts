/** A fault of the command line or of a file: told as it is, and the process ends with 2. */
export class CliError extends Error {
  override readonly name = 'CliError'
}
