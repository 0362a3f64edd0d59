import { readdirSync, readFileSync } from 'node:fs'

/** Megabytes that a process and its children hold in memory; NaN where there is no `/proc` to ask. */
export function residentMegabytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const kibibytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1])
    return childrenOf(pid).reduce((sum, child) => sum + residentMegabytes(child), kibibytes / 1_024)
  } catch {
    return Number.NaN
  }
}

function childrenOf(pid: number): readonly number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
      .split(' ')
      .filter((child) => child !== '')
      .map(Number),
  )
}
