import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { freePort } from '../helpers/free-port.ts'

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

/** The gateway listens on every address of the machine; a test has no use for that. */
const ON_LOOPBACK = `data:text/javascript,${encodeURIComponent(`
  import { Server } from 'node:net'
  const { listen } = Server.prototype
  Server.prototype.listen = function (port, ...rest) {
    return typeof port === 'number' ? listen.call(this, port, '127.0.0.1', ...rest.slice(1)) : listen.call(this, port, ...rest)
  }
`)}`

/** The real gateway, as `npx @portkey-ai/gateway` starts it, in a process of its own. */
export async function startPortkey(): Promise<Portkey> {
  const port = await freePort()
  const chunks: string[] = []
  const child = spawn(
    process.execPath,
    ['--import', ON_LOOPBACK, PROGRAM, `--port=${port}`, '--headless'],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env.PATH } },
  )
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => chunks.push(String(chunk)))
  }
  const origin = `http://127.0.0.1:${port}`
  await untilItAnswers(origin, child, () => chunks.join(''))
  return {
    origin,
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

async function untilItAnswers(origin: string, child: ChildProcess, output: () => string) {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`Portkey ended: ${output()}`)
    try {
      const { body } = await request(origin)
      await body.dump()
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  throw new Error(`Portkey does not answer: ${output()}`)
}
