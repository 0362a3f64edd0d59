/**
 * How the cost of `/compact` grows with the conversation: 200, 2,000, 20,000 messages.
 *
 *     npx tsx bench/growth.ts [--short]
 *
 * CPU milliseconds of the service for one request, medians; a target of half of the tokens; texts that
 * the service has not seen (`cold`), and the same bodies again (`cached`). An exponent of 1 is linear;
 * that of all is the slope of a line through the three points, both axes logarithmic. The rows of the
 * floor (servers/floor.ts) say what the machine itself adds for larger bodies.
 */
import { buildService } from './lib/built-service.ts'
import { type ConversationMembers, FORMATS } from './lib/conversation-formats.ts'
import { createConversationCounter } from './lib/count-conversation.ts'
import { isShort, printEnvironment, printTable } from './lib/report.ts'
import type { ServerProcess } from './lib/server-process.ts'
import { startFloor, startService } from './lib/start-servers.ts'
import { exponent, median } from './lib/statistics.ts'
import { toolConversation } from './lib/tool-conversation.ts'

const STATES = ['cold', 'cached'] as const
const SHARE = 0.5

interface Size {
  readonly messages: number
  readonly warmUps: number
  readonly rounds: number
  /** Bodies between two looks at the CPU clock. */
  readonly batch: number
}

interface Case {
  readonly format: ConversationMembers['format']
  readonly profile: string
}

interface Target {
  readonly start: () => Promise<ServerProcess>
  readonly path: (state: State) => string
}

type State = (typeof STATES)[number]

const sizes: readonly Size[] = isShort
  ? [
      { messages: 200, warmUps: 10, rounds: 5, batch: 8 },
      { messages: 2_000, warmUps: 2, rounds: 5, batch: 1 },
    ]
  : [
      { messages: 200, warmUps: 6, rounds: 15, batch: 8 },
      { messages: 2_000, warmUps: 3, rounds: 9, batch: 2 },
      { messages: 20_000, warmUps: 1, rounds: 5, batch: 1 },
    ]

const cases: readonly Case[] = isShort
  ? [{ format: 'openai-chat', profile: 'neurolink' }]
  : [
      { format: 'openai-chat', profile: 'neurolink' },
      { format: 'openai-chat', profile: 'agent' },
      { format: 'openai-chat', profile: 'rubyn' },
      { format: 'anthropic-messages', profile: 'neurolink' },
      { format: 'neurolink', profile: 'neurolink' },
    ]

const FLOOR: Target = { start: startFloor, path: (state) => `/plain/${state}` }

buildService()
printEnvironment()
const countConversation = await createConversationCounter()
let seed = 0
for (const decide of ['none', 'embedded']) {
  const rows = []
  const service: Target = { start: () => startService(decide), path: () => '/compact' }
  for (const one of cases) rows.push(...(await measureCase(one, service)))
  if (decide === 'none') {
    rows.push(...(await measureCase({ format: 'openai-chat', profile: '(the floor)' }, FLOOR)))
  }
  printTable(
    `Growth, decide ${decide} (aim: exponents of at most 1.15)`,
    ['format', 'profile', 'counts', ...sizes.map(({ messages }) => `${messages}, ms`), ...spans()],
    rows,
  )
}

function spans(): string[] {
  const neighbours = sizes
    .slice(1)
    .map(({ messages }, index) => `exponent ${sizes[index]?.messages} to ${messages}`)
  return [...neighbours, 'of all']
}

async function measureCase(one: Case, target: Target) {
  const server = await target.start()
  const costs: Record<State, number[]> = { cold: [], cached: [] }
  for (const size of sizes) {
    const cost = await measureSize(server, target.path, size, one)
    for (const state of STATES) costs[state].push(cost[state])
  }
  await server.stop()
  return STATES.map((state) => {
    const points = sizes.map(({ messages }, index) => ({ messages, ms: costs[state][index] ?? 0 }))
    const between = points.slice(1).map((point, index) => exponent([points[index] ?? point, point]))
    return [one.format, one.profile, state, ...costs[state], ...between, exponent(points)]
  })
}

async function measureSize(
  server: ServerProcess,
  path: Target['path'],
  { messages, warmUps, rounds, batch }: Size,
  { format, profile }: Case,
) {
  const cpu: Record<State, number[]> = { cold: [], cached: [] }
  for (let round = -warmUps; round < rounds; round += 1) {
    const bodies = Array.from({ length: batch }, () => bodyOf(messages, format, profile))
    for (const state of STATES) {
      // The floor's first way leaves nothing in the cache of its second.
      if (state === 'cached') await server.post(path(state), bodies)
      const sample = await server.post(path(state), bodies)
      if (round >= 0) cpu[state].push(sample.cpu)
    }
  }
  return { cold: median(cpu.cold), cached: median(cpu.cached) }
}

function bodyOf(size: number, format: ConversationMembers['format'], profile: string): Buffer {
  seed += 1
  const messages = toolConversation(size, seed)
  const targetTokens = Math.floor(countConversation(messages) * SHARE)
  const members = FORMATS[format](messages)
  return Buffer.from(JSON.stringify({ ...members, model: 'gpt-4o', profile, targetTokens }))
}
