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

/** See `probe.ts`. Resolves once it can ask: compiling it takes as long as a short run on a busy machine. */
export async function startProbe(): Promise<Probe> {
  const child = fork(fileURLToPath(new URL('probe.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
  })
  await nextMessage(child)
  return {
    start: (url) => tell(child, { url }),
    stop: async () => {
      const answer = nextMessage(child)
      tell(child, 'stop')
      return (await answer) as ProbeResult
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

/** Rejects where the process ends without one. */
async function nextMessage(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the probe has ended')))
  const [message] = await Promise.race([once(child, 'message'), ended])
  return message
}
