/**
 * What a request costs that is under its budget, over a bare Fastify that sends the same body back.
 *
 *     npx tsx bench/under-budget.ts [--short] [--size=200]
 *
 * CPU milliseconds of the server process for one request, medians; sizes in kB. The servers take turns
 * with the same bodies, and a ratio is the median over the rounds. `cold`: texts that the service has
 * not seen, in a process that is warm. `cached`: the same bodies again.
 */
import { buildService } from './lib/built-service.ts'
import { isShort, isWanted, printEnvironment, printTable } from './lib/report.ts'
import { startServer } from './lib/server-process.ts'
import { startService } from './lib/start-servers.ts'
import { median, medianRatio } from './lib/statistics.ts'
import { toolConversation } from './lib/tool-conversation.ts'

/** Of the conversations of lib/tool-conversation.ts, with what JSON puts around a message. */
const BYTES_PER_MESSAGE = 850
const WARM_UPS = 4

interface Size {
  readonly kilobytes: number
  readonly rounds: number
  /** Bodies between two looks at the CPU clock. */
  readonly batch: number
}

const sizes: readonly Size[] = isShort
  ? [
      { kilobytes: 20, rounds: 5, batch: 20 },
      { kilobytes: 200, rounds: 5, batch: 4 },
    ]
  : [
      { kilobytes: 20, rounds: 25, batch: 40 },
      { kilobytes: 200, rounds: 25, batch: 10 },
      { kilobytes: 2_000, rounds: 15, batch: 2 },
    ]

buildService()
printEnvironment()
const echo = await startServer(new URL('servers/echo.ts', import.meta.url).href)
const service = await startService('embedded')
let seed = 0
const rows = []
for (const size of sizes) if (isWanted(size.kilobytes)) rows.push(await measure(size))
for (const server of [echo, service]) await server.stop()
printTable(
  'Under budget: `/compact` over an echo (aim: 1.3)',
  ['body kB', 'rounds', 'echo ms', 'cold ms', 'cached ms', 'cold over echo', 'cached over echo'],
  rows,
)

async function measure({ kilobytes, rounds, batch }: Size) {
  const cpu = { echo: [] as number[], cold: [] as number[], cached: [] as number[] }
  let bytes = 0
  for (let round = -WARM_UPS; round < rounds; round += 1) {
    const bodies = Array.from({ length: batch }, () => bodyOf(kilobytes * 1_000))
    const samples = {
      echo: await echo.post('/echo', bodies),
      cold: await service.post('/compact', bodies),
      cached: await service.post('/compact', bodies),
    }
    if (round < 0) continue
    for (const name of ['echo', 'cold', 'cached'] as const) cpu[name].push(samples[name].cpu)
    for (const body of bodies) bytes += body.length / batch / rounds
  }
  return [
    bytes / 1_000,
    `${rounds}`,
    median(cpu.echo),
    median(cpu.cold),
    median(cpu.cached),
    medianRatio(cpu.cold, cpu.echo),
    medianRatio(cpu.cached, cpu.echo),
  ]
}

function bodyOf(bytes: number): Buffer {
  seed += 1
  const messages = toolConversation(Math.round(bytes / BYTES_PER_MESSAGE), seed)
  return Buffer.from(
    JSON.stringify({
      format: 'openai-chat',
      model: 'gpt-4o',
      contextWindow: 10_000_000,
      messages,
    }),
  )
}
