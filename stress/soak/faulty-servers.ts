/**
 * A process with the service's three dependencies: a decision model, a summariser and a provider. Each
 * goes from one fault to the next every few seconds, by its own chance, and is well half of the time.
 */
import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { createRandom } from '../../bench/lib/random.ts'
import type { Fault } from '../../test/helpers/decide-servers/fault.ts'
import { createSystemOneServer } from '../../test/helpers/decide-servers/system-one-server.ts'
import type { LlmFault } from '../../test/helpers/llm-servers/llm-fault.ts'
import { startLlmServer } from '../../test/helpers/llm-servers/start-llm-server.ts'
import { type ScriptedAnswer, startSummarizerServer } from '../../test/helpers/summarizer-server.ts'
import { GOOD_SUMMARY } from '../../test/helpers/summarizer-variables.ts'

export interface FaultyUrls {
  readonly decide: string
  readonly summarizer: string
  readonly summarizerKey: string
  readonly summarizerModel: string
  readonly provider: string
}

/** `faults`: begin with them; `hang-up`: end all connections. Each is answered, with `done`. */
export type FaultCommand = 'faults' | 'hang-up'

const EVERY_MS = [2_000, 5_000] as const
const SHARE_WELL = 0.5

/** So that a caller can leave in the middle of a stream. */
const PACE = { delayMs: 10, splitBytes: 0 }

const DECIDE_FAULTS: readonly Fault[] = [
  ...(['hang', 'drip', 'reset', 'cut-off', 'garbage', 'truncated-json', 'nan'] as const),
  { status: 500 },
  { status: 429, headers: { 'retry-after': '1' } },
]
const SUMMARY_FAULTS: readonly ScriptedAnswer[] = [
  { kind: 'hang' },
  { kind: 'drip', everyMs: 20 },
  { kind: 'reset' },
  { kind: 'reset', afterBytes: 20 },
  { kind: 'garbage' },
  { kind: 'truncated-json' },
  { kind: 'error', status: 500 },
  { kind: 'empty' },
]
const PROVIDER_FAULTS: readonly LlmFault[] = [
  { kind: 'hang' },
  { kind: 'reset' },
  { kind: 'hang-mid-answer' },
  { kind: 'reset-mid-answer' },
  { kind: 'cut-mid-answer' },
  { kind: 'trickle', everyMs: 5, bytes: 32 },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 529 },
  { kind: 'raw', status: 200, body: '<html>Bad gateway</html>' },
]

const random = createRandom(7)
const decide = await createSystemOneServer({ answer: () => 0.1 + random() * 0.2 })
const summarizer = await startSummarizerServer()
const provider = await startLlmServer({ pace: PACE })

const servers = [
  {
    recorded: decide.requests,
    faults: DECIDE_FAULTS.map((fault) => () => decide.setFault(fault)),
    heal: () => decide.setFault(undefined),
  },
  {
    recorded: summarizer.requests,
    faults: SUMMARY_FAULTS.map((fault) => () => summarizer.script(fault)),
    heal: () => summarizer.script({ kind: 'summary', text: GOOD_SUMMARY }),
  },
  {
    recorded: provider.requests,
    faults: PROVIDER_FAULTS.map((fault) => () => provider.setFault(fault)),
    heal: () => provider.setFault(undefined),
  },
]
const sockets = new Set<Socket>()
subscribe('net.server.socket', (message) => {
  const { socket } = message as { readonly socket: Socket }
  sockets.add(socket)
  socket.once('close', () => sockets.delete(socket))
})
for (const server of servers) server.heal()
process.on('message', (command: FaultCommand) => {
  if (command === 'hang-up') for (const socket of sockets) socket.destroy()
  else for (const server of servers) change(server)
  process.send?.('done')
})
process.on('disconnect', () => process.exit())
// The test servers keep every request for tests to look at; nobody looks here.
setInterval(() => {
  for (const { recorded } of servers) (recorded as unknown[]).length = 0
}, 500)
const urls: FaultyUrls = {
  decide: decide.url,
  summarizer: summarizer.openaiUrl,
  summarizerKey: summarizer.rules.apiKey,
  summarizerModel: summarizer.rules.model,
  provider: provider.origin,
}
process.send?.(urls)

function change(server: (typeof servers)[number]): void {
  if (random() < SHARE_WELL) server.heal()
  else server.faults[Math.floor(random() * server.faults.length)]?.()
  const [least, most] = EVERY_MS
  setTimeout(() => change(server), least + random() * (most - least))
}
