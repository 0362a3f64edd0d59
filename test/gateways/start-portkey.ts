import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface Portkey {
  readonly origin: string
  /** The headers that make the gateway call the upstream, through the guardrail if there is one. */
  readonly headers: (route: PortkeyRoute) => Readonly<Record<string, string>>
  /** What it wrote, on both of its outputs. */
  readonly output: () => string
  readonly close: () => Promise<void>
}

export interface PortkeyRoute {
  readonly provider: 'openai' | 'anthropic'
  /** Base URL of the provider, with its version. */
  readonly upstream: string
  readonly guardrail?: PortkeyWebhook
}

export interface PortkeyWebhook {
  readonly webhookURL: string
  /** Milliseconds; the gateway's default is 3,000. */
  readonly timeout?: number
  readonly headers?: Readonly<Record<string, string>>
}

const PROGRAM = fileURLToPath(import.meta.resolve('@portkey-ai/gateway/build/start-server.js'))

/** The gateway listens on every address of the machine, and on no port that it was not told: a test wants neither. */
const ON_LOOPBACK = `data:text/javascript,${encodeURIComponent(`
  import { Server } from 'node:net'
  const { listen } = Server.prototype
  Server.prototype.listen = function (port, ...rest) {
    if (typeof port !== 'number') return listen.call(this, port, ...rest)
    this.once('listening', () => process.send({ port: this.address().port }))
    return listen.call(this, 0, '127.0.0.1', ...rest.slice(1))
  }
`)}`

/** The real gateway, as `npx @portkey-ai/gateway` starts it, in a process of its own. */
export async function startPortkey(): Promise<Portkey> {
  const chunks: string[] = []
  const child = spawn(process.execPath, ['--import', ON_LOOPBACK, PROGRAM, '--headless'], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { PATH: process.env.PATH },
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => chunks.push(String(chunk)))
  }
  const port = await portOf(child, () => chunks.join(''))
  return {
    origin: `http://127.0.0.1:${port}`,
    headers: ({ provider, upstream, guardrail }) => ({
      'x-portkey-config': JSON.stringify({
        provider,
        api_key: 'test-key',
        custom_host: upstream,
        ...(guardrail !== undefined && { before_request_hooks: [guardrailOf(guardrail)] }),
      }),
    }),
    output: () => chunks.join(''),
    close: async () => {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}

function guardrailOf(parameters: PortkeyWebhook) {
  return {
    type: 'guardrail',
    id: 'precis',
    deny: false,
    checks: [{ id: 'default.webhook', parameters }],
  }
}

/** Where it listens, as soon as it does. */
async function portOf(child: ChildProcess, output: () => string): Promise<number> {
  const listening = once(child, 'message').then(([{ port }]) => port as number)
  const ended = once(child, 'close').then(() => undefined)
  const port = await Promise.race([listening, ended])
  if (port === undefined) throw new Error(`Portkey ended: ${output()}`)
  return port
}
