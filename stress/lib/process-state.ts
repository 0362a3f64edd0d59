/** What the system says of a process, without asking the process. Linux only: it reads /proc. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

export interface ProcessState {
  /** Memory that is in RAM, in bytes. */
  readonly rssBytes: number
  /** Milliseconds of processor time since its start, all threads, to 10 ms. */
  readonly cpuMs: number
  readonly threads: number
  readonly descriptors: number
  /** Of the descriptors; a listener is one. */
  readonly sockets: number
}

/** `USER_HZ`, which Linux fixes for all that it tells programs. */
const TICKS_PER_SECOND = 100

/** Throws where there is no such process. */
export function readProcessState(pid: number): ProcessState {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  // The name in front may hold spaces; behind its bracket come the numbered fields from the third on.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  const ticks = Number(fields[11]) + Number(fields[12])
  const targets = descriptorsOf(pid)
  return {
    rssBytes: lineOf(status, 'VmRSS') * 1024,
    cpuMs: (ticks / TICKS_PER_SECOND) * 1_000,
    threads: lineOf(status, 'Threads'),
    descriptors: targets.length,
    sockets: targets.filter((target) => target.startsWith('socket:')).length,
  }
}

function lineOf(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1])
}

function descriptorsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${name}`)]
    } catch {
      // Closed since it was listed.
      return []
    }
  })
}
