import { setMaxListeners } from 'node:events'
import { startLlmServer } from '../../../test/helpers/llm-servers/start-llm-server.ts'
import {
  type ServiceProcess,
  startServiceProcess,
} from '../../../test/helpers/start-service-process.ts'

/** Tokens that the stand-in provider takes, and turns in which its model wants to read something. */
const WINDOW = 8_000
const TURNS = 30

export interface Demonstration {
  /** What is pointed at Precis, for the headline. */
  readonly what: string
  readonly model: string
  /** Variables of Precis, beside the model's window. */
  readonly environment?: (upstream: string) => Readonly<Record<string, string>>
  /** Works on its task until the model has an answer, and returns it. */
  readonly work: (addresses: Addresses) => Promise<string>
}

export interface Addresses {
  /** Of the provider that stands in for the real one, without a path. */
  readonly upstream: string
  /** Of Precis; undefined where the client is to go without it. */
  readonly precis: string | undefined
}

/**
 * Lets the same program do the same work twice, against a provider with a small window: directly,
 * and through Precis. Says how far each came. Exits with 1 if Precis made no difference.
 */
export async function demonstrate(demonstration: Demonstration): Promise<void> {
  const { what, model, environment = () => ({}) } = demonstration
  // The tool runner of `openai` listens with every request to one and the same signal, and Node.js would warn of it.
  setMaxListeners(2 * TURNS)
  const upstream = await startLlmServer({ contextWindow: WINDOW, toolTurns: TURNS })
  let precis: ServiceProcess | undefined
  const workOnce = async (address: string | undefined): Promise<boolean> => {
    upstream.reset()
    const outcome = await demonstration.work({ upstream: upstream.origin, precis: address }).then(
      (answer) => ({ isDone: true, line: `an answer: "${answer}"` }),
      (error: unknown) => ({ isDone: false, line: `an error: ${firstLine(error)}` }),
    )
    const sizes = upstream.requests.map(({ tokens = 0 }) => tokens)
    say(
      `  ${sizes.length} requests, the largest of ${Math.max(...sizes)} tokens, then ${outcome.line}`,
    )
    return outcome.isDone
  }
  try {
    say(`${what}: ${TURNS} rounds of tools with a model whose window is ${WINDOW} tokens`)
    say('Directly:')
    const isDoneDirectly = await workOnce(undefined)
    const windows = { [model]: { contextWindow: WINDOW, maxOutputTokens: 500 } }
    precis = await startServiceProcess({
      environment: {
        PRECIS_LOG_LEVEL: 'info',
        PRECIS_MODEL_WINDOWS: JSON.stringify(windows),
        ...environment(upstream.origin),
      },
    })
    say('Through Precis:')
    const isDone = await workOnce(precis.url)
    process.exitCode = isDone && !isDoneDirectly ? 0 : 1
  } finally {
    await precis?.close()
    await upstream.close()
  }
}

/** What a tool finds: some six hundred tokens, different on each call. */
export function readPart(step: number): string {
  return Array.from(
    { length: 40 },
    (_, line) =>
      `${step}.${line}: export const limit${step * 40 + line} = ${step * 7919 + line * 31}`,
  ).join('\n')
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split('\n')[0] ?? ''
}
