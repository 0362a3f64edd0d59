/**
 * Real conversations through the real service: every tau-bench run and the long Claude Code sessions at
 * 75, 50 and 25% of their tokens, with each profile. Prints a table; exits 1 when the oracle finds a
 * fault that the input did not have.
 *
 *   PRECIS_DATA=<folder> npx tsx eval/real-conversations.ts
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildApp } from '../src/app.ts'
import { createAppServices } from '../src/app-services.ts'
import { loadConfig } from '../src/config.ts'
import { OptionsSchema } from '../src/contract/options.ts'
import { PROFILE_NAMES } from '../src/engine/options.ts'
import type { JsonObject, JsonValue } from '../src/engine/transcript.ts'
import { newFaults } from '../test/helpers/wire-rules/index.ts'
import { readClaudeCodeMessages } from './lib/claude-code-messages.ts'
import { dataFolder } from './lib/data-folder.ts'

const SHARES = [0.75, 0.5, 0.25] as const

interface Conversation {
  readonly set: string
  readonly format: 'openai-chat' | 'anthropic-messages'
  readonly body: JsonObject & { readonly messages: JsonValue[] }
}

interface Answer {
  readonly fits: boolean
  readonly outcome: string
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly stagesUsed: readonly string[]
  readonly budget: { readonly floor: { readonly tokens: number } }
  readonly messages: JsonValue[]
}

const folder = dataFolder()
if (folder === undefined) {
  console.log('PRECIS_DATA names no folder of conversations: nothing was measured.')
  process.exit(0)
}

const { config } = loadConfig({ PRECIS_LOG_LEVEL: 'silent' }, OptionsSchema)
const app = await buildApp({ config, services: createAppServices(config) })
const origin = await app.listen({ port: 0, host: '127.0.0.1' })

const conversations = [...tauBench(folder), ...claudeCode(folder)]
let faults = 0
console.log(
  '| set | profile | target | runs | reachable | fit | saved | ms (median) | stages | new faults |',
)
console.log('|---|---|---|---|---|---|---|---|---|---|')
for (const set of new Set(conversations.map((conversation) => conversation.set))) {
  for (const profile of PROFILE_NAMES) {
    for (const share of SHARES) {
      faults += await measure(
        set,
        conversations.filter((conversation) => conversation.set === set),
        profile,
        share,
      )
    }
  }
}
await app.close()
process.exitCode = faults === 0 ? 0 : 1

async function measure(
  set: string,
  members: readonly Conversation[],
  profile: string,
  share: number,
): Promise<number> {
  let fit = 0
  let reachable = 0
  let before = 0
  let after = 0
  let found = 0
  const times: number[] = []
  const stages = new Map<string, number>()
  for (const { format, body } of members) {
    const whole = await post({ ...body, format, dryRun: true, targetTokens: 1_000_000_000 })
    const targetTokens = Math.max(1, Math.floor(whole.tokensBefore * share))
    const startedAt = performance.now()
    const answer = await post({ ...body, format, profile, targetTokens })
    times.push(performance.now() - startedAt)
    fit += answer.fits ? 1 : 0
    reachable += answer.budget.floor.tokens <= targetTokens ? 1 : 0
    before += answer.tokensBefore
    after += answer.tokensAfter
    for (const stage of answer.stagesUsed) stages.set(stage, (stages.get(stage) ?? 0) + 1)
    found += newFaults(format, body, { ...body, messages: answer.messages }).length
  }
  const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)}%`
  const median = times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
  console.log(
    `| ${set} | ${profile} | ${share * 100}% | ${members.length} | ${percent(reachable, members.length)} | ${percent(fit, members.length)} | ${percent(before - after, before)} | ${median.toFixed(1)} | ${[...stages].map(([stage, count]) => `${stage} ${count}`).join(', ')} | ${found} |`,
  )
  return found
}

async function post(body: JsonObject): Promise<Answer> {
  const response = await fetch(`${origin}/compact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as Answer
  if (response.status !== 200) throw new Error(`${response.status}: ${JSON.stringify(answer)}`)
  return answer
}

function tauBench(from: string): Conversation[] {
  const runs = JSON.parse(readFileSync(join(from, 'tau-bench', 'gpt-4o-airline.json'), 'utf8')) as {
    traj: JsonValue[]
  }[]
  return runs.map(({ traj }) => ({
    set: 'tau-bench',
    format: 'openai-chat',
    body: { model: 'gpt-4o', messages: traj },
  }))
}

function claudeCode(from: string): Conversation[] {
  return [1, 2, 3].map((number) => ({
    set: `claude-code ${number}`,
    format: 'anthropic-messages',
    body: {
      model: 'claude-opus-4-6',
      messages: readClaudeCodeMessages(join(from, 'claude-code', `session-${number}.jsonl`)),
    },
  }))
}
