#!/usr/bin/env node
import { EXIT } from './exit-code.ts'
import { runCli } from './run-cli.ts'
import { createTerminal } from './terminal.ts'

// The process of the command line: its streams, its signals and its exit code.
const { stdin, stdout, stderr } = process

// Whoever reads may have seen enough, as `head` has.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.usage)
})
// Where the messages cannot be told, the document is still worth writing.
stderr.on('error', () => {})

const interruption = new AbortController()
process.on('SIGINT', () => {
  interruption.abort()
  process.exit(EXIT.interrupted)
})

// The loop ends by itself, once all that was written is on its way.
process.exitCode = await runCli(process.argv.slice(2), {
  stdin,
  writeOut: (bytes) =>
    new Promise((resolve) => {
      stdout.write(bytes, () => resolve())
    }),
  out: createTerminal(stdout),
  err: createTerminal(stderr),
  signal: interruption.signal,
})
