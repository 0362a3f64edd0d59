import { execFileSync } from 'node:child_process'

/** Process ids of what a process has started. */
export function childrenOf(pid: number): number[] {
  return ps('-o', 'pid=', '--ppid', String(pid)).split('\n').filter(Boolean).map(Number)
}

/** The command line of a process; empty where there is none. */
export function commandOf(pid: number): string {
  return ps('-o', 'args=', '-p', String(pid))
}

/** One that has ended and that nobody has asked after yet runs no more. */
export function isRunning(pid: number): boolean {
  const state = ps('-o', 'stat=', '-p', String(pid))
  return state !== '' && !state.startsWith('Z')
}

/** Fails where it finds nothing. */
function ps(...options: readonly string[]): string {
  try {
    return execFileSync('ps', options, { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}
