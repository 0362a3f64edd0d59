/** How a run of the command line ended; docs/command-line.md lists them. */
export const EXIT = {
  done: 0,
  /** The target was not met, or the conversation breaks rules. */
  negative: 1,
  /** The command line or the input is at fault. */
  usage: 2,
  /** Precis is at fault: sysexits' EX_SOFTWARE. */
  internal: 70,
  /** 128 and the number of SIGINT, as shells count. */
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
