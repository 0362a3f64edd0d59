/**
 * A process that asks /healthz ten times a second, each time on a new connection, as kubelets do: what the
 * load generator does is none of its waiting. Told `{ url }` it begins anew, told `stop` it says what it
 * saw.
 */
import { createHistogram } from 'node:perf_hooks'
import { Pool } from 'undici'

const EVERY_MS = 100
const CONNECTIONS = 64

export type ProbeCommand = { readonly url: string } | 'stop'

export interface ProbeResult {
  readonly asked: number
  readonly failed: number
  /** Milliseconds from when it was to be asked. */
  readonly p50: number
  readonly p99: number
  readonly max: number
}

let running: { readonly stop: () => Promise<ProbeResult> } | undefined
let obeyed: Promise<void> = Promise.resolve()

// One after the other: what is told to stop has to have begun.
process.on('message', (command: ProbeCommand) => {
  obeyed = obeyed.then(() => obey(command))
})
process.on('disconnect', () => process.exit())
process.send?.('ready')

async function obey(command: ProbeCommand): Promise<void> {
  const ended = await running?.stop()
  running = undefined
  if (command === 'stop') process.send?.(ended)
  else running = start(command.url)
}

function start(url: string): { readonly stop: () => Promise<ProbeResult> } {
  const pool = new Pool(url, { connections: CONNECTIONS, pipelining: 0 })
  const histogram = createHistogram({ lowest: 1, highest: 600_000_000, figures: 3 })
  const underWay = new Set<Promise<void>>()
  let asked = 0
  let failed = 0
  const ask = async (scheduledAt: number): Promise<void> => {
    try {
      const { statusCode, body } = await pool.request({ method: 'GET', path: '/healthz' })
      await body.dump()
      if (statusCode !== 200) failed += 1
    } catch {
      failed += 1
    }
    histogram.record(Math.max(1, Math.round((performance.now() - scheduledAt) * 1_000)))
  }
  const startedAt = performance.now()
  const timer = setInterval(() => {
    // A late timer does not skip a question: it is asked at once and waits since its time.
    for (; startedAt + (asked + 1) * EVERY_MS <= performance.now(); asked += 1) {
      const question = ask(startedAt + (asked + 1) * EVERY_MS).finally(() => {
        underWay.delete(question)
      })
      underWay.add(question)
    }
  }, 5)
  return {
    stop: async () => {
      clearInterval(timer)
      await Promise.all(underWay)
      await pool.close()
      const at = (share: number) => histogram.percentile(share) / 1_000
      return { asked, failed, p50: at(50), p99: at(99), max: histogram.max / 1_000 }
    },
  }
}
