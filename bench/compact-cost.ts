/**
 * What `/compact` costs over the floor: parse the body, count every text once, serialise the answer.
 *
 *     npx tsx bench/compact-cost.ts [--short] [--size=2000]
 *
 * CPU milliseconds of the server process for one request, medians; a target of half of the tokens.
 * The servers take turns with the same bodies, and a ratio is the median over the rounds. `cold`: texts
 * that no server has seen, in processes that are warm. `cached`: the same bodies again.
 */
import { buildService } from './lib/built-service.ts'
import { createConversationCounter } from './lib/count-conversation.ts'
import { isShort, isWanted, printEnvironment, printTable } from './lib/report.ts'
import type { ServerProcess } from './lib/server-process.ts'
import { startFloor, startService } from './lib/start-servers.ts'
import { median, medianRatio } from './lib/statistics.ts'
import { toolConversation } from './lib/tool-conversation.ts'

const PROFILES = ['neurolink', 'agent', 'rubyn'] as const
const DECIDE = ['none', 'embedded'] as const
const STATES = ['cold', 'cached'] as const
const SHARE = 0.5

interface Size {
  readonly messages: number
  readonly rounds: number
  /** Bodies between two looks at the CPU clock. */
  readonly batch: number
}

type Samples = Map<string, { cpu: number[]; wall: number[]; bytes: number[] }>

const sizes: readonly Size[] = isShort
  ? [{ messages: 200, rounds: 5, batch: 4 }]
  : [
      { messages: 200, rounds: 15, batch: 8 },
      { messages: 2_000, rounds: 9, batch: 2 },
      { messages: 20_000, rounds: 3, batch: 1 },
    ]
const FRESH_PROCESSES = 3

buildService()
const countConversation = await createConversationCounter()
printEnvironment()
for (const size of sizes) if (isWanted(size.messages)) await measureSize(size)
if (!isShort) await measureFirstRequests(2_000)

async function measureSize({ messages, rounds, batch }: Size): Promise<void> {
  const floor = await startFloor()
  const services = new Map<string, ServerProcess>()
  for (const decide of DECIDE) services.set(decide, await startService(decide))
  const samples: Samples = new Map()
  let seed = 0
  const post = async (key: string, server: ServerProcess, path: string, bodies: Buffer[]) => {
    const { cpu, wall, bytes } = await server.post(path, bodies)
    const list = samples.get(key) ?? { cpu: [], wall: [], bytes: [] }
    samples.set(key, list)
    list.cpu.push(cpu)
    list.wall.push(wall)
    list.bytes.push(bytes)
  }
  const warmUps = messages > 2_000 ? 1 : 3
  for (let round = -warmUps; round < rounds; round += 1) {
    if (round === 0) samples.clear()
    for (const profile of PROFILES) {
      const bodies = Array.from({ length: batch }, () => {
        seed += 1
        return bodyOf(messages, seed, profile)
      })
      for (const state of STATES) {
        if (state === 'cached') await floor.post('/plain/cached', bodies)
        for (const way of ['plain', 'bytes']) {
          await post(`${profile} ${state} ${way}`, floor, `/${way}/${state}`, bodies)
        }
        for (const [decide, service] of services) {
          await post(`${profile} ${state} ${decide}`, service, '/compact', bodies)
        }
      }
    }
  }
  for (const server of [floor, ...services.values()]) await server.stop()
  printSize(messages, rounds, samples)
}

function printSize(messages: number, rounds: number, samples: Samples): void {
  const rows = STATES.flatMap((state) =>
    PROFILES.flatMap((profile) =>
      DECIDE.map((decide) => {
        const of = (variant: string) => {
          const found = samples.get(`${profile} ${state} ${variant}`)
          if (found === undefined) throw new Error('a variant was not measured')
          return found
        }
        const [plain, bytes, ours] = [of('plain'), of('bytes'), of(decide)]
        return [
          state,
          profile,
          decide,
          median(plain.cpu),
          median(bytes.cpu),
          median(ours.cpu),
          medianRatio(ours.cpu, plain.cpu),
          medianRatio(ours.cpu, bytes.cpu),
          medianRatio(ours.wall, plain.wall),
          `${Math.round(median(ours.bytes) / 1_000)} / ${Math.round(median(plain.bytes) / 1_000)}`,
        ]
      }),
    ),
  )
  printTable(
    `/compact over the floor: ${messages} messages, ${rounds} rounds (aim: 1.5)`,
    [
      'counts',
      'profile',
      'decide',
      'floor ms',
      'floor by bytes ms',
      '/compact ms',
      'over floor',
      'over floor by bytes',
      'wall over floor',
      'answer kB / floor',
    ],
    rows,
  )
}

/** A fresh process answers its first request: compilation and the vocabulary's pages included. */
async function measureFirstRequests(messages: number): Promise<void> {
  const starts: Record<string, () => Promise<ServerProcess>> = {
    floor: startFloor,
    none: () => startService('none'),
    embedded: () => startService('embedded'),
  }
  const cpu = new Map<string, number[]>()
  const wall = new Map<string, number[]>()
  for (let run = 0; run < FRESH_PROCESSES; run += 1) {
    const body = bodyOf(messages, run, 'neurolink')
    for (const [name, start] of Object.entries(starts)) {
      const server = await start()
      const sample = await server.post(name === 'floor' ? '/plain/cold' : '/compact', [body])
      await server.stop()
      cpu.set(name, [...(cpu.get(name) ?? []), sample.cpu])
      wall.set(name, [...(wall.get(name) ?? []), sample.wall])
    }
  }
  const floor = cpu.get('floor') ?? []
  printTable(
    `First request of a process, ${messages} messages, profile neurolink, ${FRESH_PROCESSES} processes each`,
    ['server', 'CPU ms', 'wall ms', 'over floor'],
    [...cpu].map(([name, values]) => [
      name === 'floor' ? 'floor' : `/compact, decide ${name}`,
      median(values),
      median(wall.get(name) ?? []),
      medianRatio(values, floor),
    ]),
  )
}

function bodyOf(size: number, seed: number, profile: string): Buffer {
  const messages = toolConversation(size, seed)
  const targetTokens = Math.floor(countConversation(messages) * SHARE)
  return Buffer.from(
    JSON.stringify({ format: 'openai-chat', model: 'gpt-4o', profile, targetTokens, messages }),
  )
}
