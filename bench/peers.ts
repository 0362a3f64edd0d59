/**
 * The engine beside others on the same conversation with half of its tokens as the target.
 *
 *     npx tsx bench/peers.ts [--short] [--long]
 *
 * CPU milliseconds of this process for one run, medians; all take turns. Tokens are tiktoken's, of
 * contents, tool names and arguments; faults are those that the test oracle finds in the result, pairs
 * apart. Ends with 1 where Precis is over the target or breaks a rule. The first run installs the peers
 * into bench/peers; `--short` takes those that are there. `--long` adds LangChain with exact counts that
 * nothing caches, which takes minutes.
 */
import { get_encoding } from 'tiktoken'
import type { Encoding, getEncoding as GetEncoding } from '../src/tokens/encoding.ts'
import { findFaults } from '../test/helpers/wire-rules/index.ts'
import { buildService, builtModule } from './lib/built-service.ts'
import { collectGarbage } from './lib/collect-garbage.ts'
import { isShort, printEnvironment, printTable } from './lib/report.ts'
import { median } from './lib/statistics.ts'
import { type OpenaiMessage, toolConversation } from './lib/tool-conversation.ts'
import { aiSdkContestants } from './peers/ai-sdk.ts'
import { installPeers } from './peers/install.ts'
import { langchainContestants } from './peers/langchain.ts'
import { neurolinkContestants } from './peers/neurolink.ts'
import type { Contestant, Task } from './peers/peer.ts'
import { precisContestants } from './peers/precis.ts'

const MESSAGES = isShort ? 200 : 2_000
const SHARE = 0.5
const WARM_UPS = 5
const PAIR_RULES = /call|result/

const tiktoken = get_encoding('o200k_base')

buildService()
if (!isShort) installPeers()
printEnvironment()
const messages = toolConversation(MESSAGES)
const before = countExactly(messages)
const task: Task = {
  messages,
  target: Math.floor(before * SHARE),
  countTokens: (await loadEncoding()).countTokens,
}
const contestants = await gather()
const results = await measure()
printTable(
  `${messages.length} messages, ${before} tokens, target ${task.target}`,
  [
    '',
    'CPU ms',
    'wall ms',
    'runs',
    'messages',
    'tokens',
    'tokens / target',
    'broken pairs',
    'other faults',
  ],
  results,
)

async function loadEncoding(): Promise<Encoding> {
  const { getEncoding } = (await import(builtModule('tokens/encoding.ts'))) as {
    getEncoding: typeof GetEncoding
  }
  return getEncoding('o200k_base')
}

async function gather(): Promise<Contestant[]> {
  const found: Contestant[] = []
  for (const create of [
    precisContestants,
    neurolinkContestants,
    aiSdkContestants,
    langchainContestants,
  ]) {
    try {
      found.push(...(await create(task)))
    } catch (error) {
      const [reason] = String(error).split('\n')
      console.error(`LEFT OUT: ${create.name.replace('Contestants', '')}: ${reason}`)
    }
  }
  return found
}

async function measure() {
  const cpu = contestants.map(() => [] as number[])
  const wall = contestants.map(() => [] as number[])
  const last: unknown[] = []
  const rounds = Math.max(...contestants.map((contestant) => contestant.rounds))
  for (let round = -WARM_UPS; round < rounds; round += 1) {
    for (const [index, contestant] of contestants.entries()) {
      const isWarmUp = round < 0
      // One that takes a minute is warm after a second.
      if (isWarmUp ? contestant.rounds <= -round : round >= contestant.rounds) continue
      collectGarbage()
      const startedAt = performance.now()
      const start = process.cpuUsage()
      last[index] = await contestant.run()
      const { user, system } = process.cpuUsage(start)
      if (isWarmUp) continue
      cpu[index]?.push((user + system) / 1_000)
      wall[index]?.push(performance.now() - startedAt)
    }
  }
  return contestants.map((contestant, index) => {
    const result = contestant.toOpenai(last[index])
    const tokens = countExactly(result)
    const faults = findFaults('openai-chat', { messages: [...result] })
    const broken = faults.filter(({ rule }) => PAIR_RULES.test(rule)).length
    if (contestant.isOurs && (tokens > task.target || faults.length > 0)) process.exitCode = 1
    return [
      contestant.name,
      median(cpu[index] ?? []),
      median(wall[index] ?? []),
      `${cpu[index]?.length}`,
      `${result.length}`,
      `${tokens}`,
      tokens / task.target,
      `${broken}`,
      `${faults.length - broken}`,
    ]
  })
}

function countExactly(list: readonly OpenaiMessage[]): number {
  let tokens = 0
  for (const { content, tool_calls = [] } of list) {
    if (content !== null) tokens += tiktoken.encode_ordinary(content).length
    for (const { function: call } of tool_calls) {
      tokens += tiktoken.encode_ordinary(call.name).length
      tokens += tiktoken.encode_ordinary(call.arguments).length
    }
  }
  return tokens
}
