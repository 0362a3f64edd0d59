import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'

export interface Series {
  readonly metric: Readonly<Record<string, string>>
  readonly value: number
}

export interface Prometheus {
  /** An instant query. Throws with Prometheus's own words where it refuses the query. */
  readonly query: (promql: string) => Promise<readonly Series[]>
  /** Label value to value, for a query that leaves one label. */
  readonly queryBy: (label: string, promql: string) => Promise<Readonly<Record<string, number>>>
  readonly stop: () => Promise<void>
}

const PROGRAM = 'prometheus'

/** Whether there is a `prometheus` to run (Debian package `prometheus`). */
export function hasPrometheus(): boolean {
  return spawnSync(PROGRAM, ['--version'], { stdio: 'ignore' }).status === 0
}

const START_MS = 20_000
const STOP_MS = 10_000

/** Runs a Prometheus with this configuration and a data folder of its own, until it is stopped. */
export async function startPrometheus(config: string): Promise<Prometheus> {
  if (!hasPrometheus()) throw new Error('there is no prometheus to run (Debian: prometheus)')
  const folder = await mkdtemp(join(tmpdir(), 'precis-prometheus-'))
  const file = join(folder, 'prometheus.yml')
  await writeFile(file, config)
  const child = spawn(
    PROGRAM,
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      // Whichever port is free, which its log tells.
      '--web.listen-address=127.0.0.1:0',
      '--log.level=info',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    log += chunk
  })
  let origin = ''
  const ended = once(child, 'close')

  const stop = async () => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    await ended
    clearTimeout(timer)
    await rm(folder, { recursive: true, force: true })
  }

  async function untilReady(): Promise<void> {
    const giveUpAt = performance.now() + START_MS
    for (;;) {
      const [, address] = /"Listening on".* address=(\S+)\n/.exec(log) ?? []
      if (address !== undefined) origin = `http://${address}`
      const ready =
        origin !== '' &&
        (await request(`${origin}/-/ready`).then(
          ({ statusCode, body }) => body.dump().then(() => statusCode === 200),
          () => false,
        ))
      if (ready) return
      if (child.exitCode !== null || performance.now() > giveUpAt) {
        await stop()
        throw new Error(`Prometheus did not start: ${log}`)
      }
      await sleep(100)
    }
  }

  const query = async (promql: string): Promise<readonly Series[]> => {
    const response = await request(`${origin}/api/v1/query`, { query: { query: promql } })
    const answer = (await response.body.json()) as QueryAnswer
    if (answer.status !== 'success') throw new Error(`${promql}: ${answer.error}`)
    return answer.data.result.map(({ metric, value: [, value] }) => ({
      metric,
      value: Number(value),
    }))
  }

  await untilReady()
  return {
    query,
    queryBy: async (label, promql) =>
      Object.fromEntries(
        (await query(promql)).map(({ metric, value }) => [metric[label] ?? '', value]),
      ),
    stop,
  }
}

type QueryAnswer =
  | { readonly status: 'error'; readonly error: string }
  | {
      readonly status: 'success'
      readonly data: {
        readonly result: readonly {
          readonly metric: Readonly<Record<string, string>>
          readonly value: readonly [time: number, value: string]
        }[]
      }
    }
