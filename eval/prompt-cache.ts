/**
 * What compaction does to a provider's prompt cache: sessions that post their whole history on every
 * turn, without Precis, with it on every turn, and with it in steps.
 *
 *   npm run eval:cache [-- --data DIR] [--out FILE]
 *
 * The example session, and with the folder of real conversations the recorded ones. Writes
 * eval/results/prompt-cache.md: numbers only.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import type { ConversationServices } from '../src/conversation/services.ts'
import { createStepMemo } from '../src/conversation/steps/step-memo.ts'
import { createEmbeddedDecider } from '../src/decide/embedded/embedded-decider.ts'
import { createTokenCounters } from '../src/tokens/token-counter.ts'
import { createWindowTable } from '../src/tokens/windows.ts'
import { dataFolder } from './lib/data-folder.ts'
import { playSession, type Way, wholeTokens } from './prompt-cache/play-session.ts'
import { type CacheSession, exampleSessions, recordedSessions } from './prompt-cache/sessions.ts'
import { costOf, meanGone, type NamedPlay, prefixKept, toTable } from './prompt-cache/table.ts'

/** Shares of the whole session that the window takes: it is outgrown once or more often. */
const WINDOW_SHARES = [0.6, 0.35] as const

const LOW_WATERS = [0.3, 0.5, 0.7, 0.9] as const

const WAYS: readonly (readonly [string, Way])[] = [
  ['no Precis, a window without end', { kind: 'none', hasWindow: false }],
  ['no Precis', { kind: 'none', hasWindow: true }],
  ['Precis on every turn', { kind: 'each-turn' }],
  ...LOW_WATERS.map(
    (lowWater) => [`steps, low water ${lowWater}`, { kind: 'steps', lowWater }] as const,
  ),
]

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    out: { type: 'string', default: new URL('results/prompt-cache.md', import.meta.url).pathname },
  },
})
const data = dataFolder(values.data)
const sessions = [...exampleSessions(), ...(data === undefined ? [] : recordedSessions(data))]

const sections: string[] = []
const plays: NamedPlay[][] = []
for (const session of sessions) {
  for (const share of WINDOW_SHARES) {
    const startedAt = performance.now()
    const windowTokens = Math.floor(share * wholeTokens(session, createServices()))
    const own: NamedPlay[] = []
    for (const [name, way] of WAYS) {
      own.push({ name, played: await playSession(session, way, windowTokens, createServices()) })
    }
    plays.push(own)
    sections.push(sectionOf(session, share, windowTokens, own))
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
    console.log(`${session.name}, window of ${100 * share}%: ${seconds} s`)
  }
}
mkdirSync(dirname(values.out), { recursive: true })
writeFileSync(values.out, `${[headerOf(), summaryOf(plays), ...sections].join('\n\n')}\n`)
console.log(`Written to ${values.out}.`)
const broken = plays
  .flat()
  .filter(({ name, played }) => name.startsWith('steps') && prefixKept(played.turns) !== 1)
if (broken.length > 0) {
  console.error('A turn without a compaction of its own did not go on from the turn before.')
  process.exitCode = 1
}

/** The service's defaults, made anew for each run: nothing is carried over from one to the next. */
function createServices(): ConversationServices {
  return {
    counters: createTokenCounters({ cacheBytes: 64 * 1024 * 1024 }),
    windows: createWindowTable(),
    decide: createEmbeddedDecider(),
    summarize: undefined,
    defaultProfile: 'neurolink',
    defaultOptions: undefined,
    lowWater: 0.5,
    stepMemo: createStepMemo(16 * 1024 * 1024),
    maxMessages: 100_000,
  }
}

function headerOf(): string {
  return `# Prompt cache

Each session is posted as its client posts it, whole and on every turn. The window is ${WINDOW_SHARES.map((share) => `${100 * share}%`).join(' or ')}
of the whole session, and what Precis compacts to. The cache is simulated: the longest prefix of messages that
is identical, byte for byte, to that of an earlier request is read at 0.1 of the price of an input token, the
rest is written at 1.25; below 1,024 tokens nothing is cached and a token costs 1. Cost is in input tokens;
answers cost the same everywhere and are left out. Embedded decide model, default profile, no summariser.

- *turns that compact*: turns that change more of the history than the turn before them did;
- *prefix kept in between*: share of the other turns that send all that the turn before sent, byte for byte,
  and then what is new;
- *messages gone*, *cleared*: of the history, how many a turn goes without, or has only a note or a part of,
  on average over all turns; *of the history sent*: in tokens.`
}

function sectionOf(
  { name, format, messages }: CacheSession,
  share: number,
  windowTokens: number,
  own: readonly NamedPlay[],
): string {
  return `## ${name[0]?.toUpperCase()}${name.slice(1)}, window of ${100 * share}%

${messages.length} messages, ${format}, ${windowTokens.toLocaleString('en-US')} tokens of window.

${toTable(own)}`
}

/** Means over sessions and windows, each against the session with a window without end. */
function summaryOf(all: readonly (readonly NamedPlay[])[]): string {
  const rows = WAYS.flatMap(([name, way], index) => {
    if (way.kind === 'none' && way.hasWindow) return []
    const runs = all.map((own) => own[index] as NamedPlay)
    const ratios = all.map(
      (own, session) =>
        costOf((runs[session] as NamedPlay).played) / costOf((own[0] as NamedPlay).played),
    )
    const gone = runs.map(({ played }) => meanGone(played))
    return [`| ${name} | ${mean(ratios).toFixed(2)} | ${mean(gone).toFixed(1)} |`]
  })
  return `## All runs

Means over ${all.length} runs. Cost is relative to the same session in a window without end.

| way | cost | messages gone, mean |
|---|---:|---:|
${rows.join('\n')}`
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
