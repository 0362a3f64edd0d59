import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ProbeCommand, ProbeResult } from './probe.ts'

export interface Probe {
  /** From now on asks the service at this address. */
  readonly start: (url: string) => void
  readonly stop: () => Promise<ProbeResult>
  readonly end: () => Promise<void>
}

/** See `probe.ts`. */
export function startProbe(): Probe {
  const child = fork(fileURLToPath(new URL('probe.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
  })
  return {
    start: (url) => tell(child, { url }),
    stop: async () => {
      const answer = once(child, 'message')
      tell(child, 'stop')
      const [result] = (await answer) as [ProbeResult]
      return result
    },
    end: async () => {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

function tell(child: ChildProcess, command: ProbeCommand): void {
  child.send(command)
}
