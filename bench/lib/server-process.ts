import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'

/**
 * Answers the parent's question for it with the CPU time of its process so far, and ends with the parent.
 * Runs before the server's own code.
 */
const REPORT_CPU = `data:text/javascript,${encodeURIComponent(`
  process.on('message', (question) => {
    if (question === 'cpu') process.send(process.cpuUsage())
  })
  process.on('disconnect', () => process.exit())
`)}`

export interface Sample {
  /** Milliseconds of the server process, user and system, its GC and compiler threads included. */
  readonly cpu: number
  /** Milliseconds until the answer was there whole, on the client's clock. */
  readonly wall: number
  /** Of one answer. */
  readonly bytes: number
}

export interface ServerProcess {
  readonly url: string
  readonly pid: number
  /** Sends a question to what `nodeOptions` have loaded into the process; its next message is the answer. */
  readonly ask: (question: unknown) => Promise<unknown>
  /** Posts the bodies one after the other; the mean of them. Throws where one is not answered with 200. */
  readonly post: (path: string, bodies: readonly Buffer[]) => Promise<Sample>
  readonly stop: () => Promise<void>
}

/**
 * A server in a process of its own, whose CPU time is that of nobody else. It has to write a JSON line
 * with its `url` to stdout once it listens.
 */
export async function startServer(
  file: string,
  environment: Readonly<Record<string, string>> = {},
  { nodeOptions = [] }: { readonly nodeOptions?: readonly string[] } = {},
): Promise<ServerProcess> {
  const isTypeScript = file.endsWith('.ts')
  const child = fork(fileURLToPath(file), {
    env: { ...process.env, ...environment },
    execArgv: [
      '--import',
      REPORT_CPU,
      ...nodeOptions,
      ...(isTypeScript ? ['--import', 'tsx'] : []),
    ],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const url = await readUrl(child)
  const pool = new Pool(url, {
    connections: 1,
    bodyTimeout: 0,
    headersTimeout: 0,
  })

  return {
    url,
    pid: child.pid ?? Number.NaN,
    ask: (question) => ask(child, question),
    post: async (path, bodies) => {
      const cpuBefore = await readCpu(child)
      const before = performance.now()
      let bytes = 0
      for (const body of bodies) bytes += await post(pool, path, body)
      const wall = (performance.now() - before) / bodies.length
      const cpu = ((await readCpu(child)) - cpuBefore) / bodies.length
      return { cpu, wall, bytes: bytes / bodies.length }
    },
    stop: async () => {
      await pool.close()
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function post(pool: Pool, path: string, body: Buffer): Promise<number> {
  const { statusCode, body: answer } = await pool.request({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
    body,
  })
  const bytes = await answer.arrayBuffer()
  if (statusCode !== 200) {
    throw new Error(`${path} answered ${statusCode}: ${Buffer.from(bytes).toString()}`)
  }
  return bytes.byteLength
}

function readUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    let isFound = false
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      // What it logs once it listens is read and thrown away.
      if (isFound) return
      text += chunk
      const url = text.split('\n').slice(0, -1).map(urlOf).find(Boolean)
      if (url === undefined) return
      isFound = true
      resolve(url)
    })
    child.once('exit', () => reject(new Error(`the server ended before it listened: ${text}`)))
  })
}

/** Of a line that says where it listens; others may have URLs deeper within. */
function urlOf(line: string): string | undefined {
  if (!line.startsWith('{')) return undefined
  const { url } = JSON.parse(line) as { readonly url?: string }
  return url
}

async function readCpu(child: ChildProcess): Promise<number> {
  const { user, system } = (await ask(child, 'cpu')) as NodeJS.CpuUsage
  return (user + system) / 1_000
}

async function ask(child: ChildProcess, question: unknown): Promise<unknown> {
  const answer = once(child, 'message')
  child.send(question as object)
  const [message] = await answer
  return message
}
