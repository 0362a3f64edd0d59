/**
 * Calls a running Precis as a few agents would, so that a dashboard has something to show:
 *   node scripts/demo-load.mjs
 * DEMO_URL (http://127.0.0.1:8080), DEMO_KEY (none), DEMO_SECONDS (until it is stopped) and
 * DEMO_REQUESTS_PER_SECOND (2) say where, as whom, how long and how much. Needs nothing but Node.js.
 */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const url = process.env.DEMO_URL || 'http://127.0.0.1:8080'
const key = process.env.DEMO_KEY
const perSecond = Number(process.env.DEMO_REQUESTS_PER_SECOND || 2)
const seconds = Number(process.env.DEMO_SECONDS || Number.POSITIVE_INFINITY)

const example = JSON.parse(
  await readFile(new URL('../examples/coding-session.json', import.meta.url), 'utf8'),
)
const { messages } = example

/** A conversation of so many turns of the example, each time a little different. */
function conversation(round) {
  const length = 20 + ((round * 37) % Math.max(1, messages.length - 20))
  return { ...example, messages: messages.slice(0, length) }
}

const TURNS = [
  (round) => ['/compact', { ...conversation(round), targetTokens: 4_000 }],
  (round) => ['/compact', { ...conversation(round), targetTokens: 9_000, profile: 'agent' }],
  (round) => ['/compact', { ...conversation(round), targetTokens: 12_000 }],
  (round) => ['/compact', { ...conversation(round), targetTokens: 1_000_000 }],
  (round) => ['/check', { messages: conversation(round).messages }],
  // A target that nobody can meet, now and then.
  (round) => ['/compact', { ...conversation(round), targetTokens: round % 4 === 0 ? 100 : 6_000 }],
]

const until = Date.now() + seconds * 1_000
const counts = {}
let stopping = false
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    stopping = true
  })
}

console.log(`calling ${url}, ${perSecond} requests per second; stop with Ctrl-C`)
let reportAt = Date.now() + 10_000
for (let round = 0; !stopping && Date.now() < until; round += 1) {
  const pause = sleep(1_000 / perSecond)
  const [path, body] = TURNS[round % TURNS.length](round)
  const status = await post(path, body)
  counts[status] = (counts[status] ?? 0) + 1
  if (Date.now() > reportAt) {
    console.log(summary())
    reportAt = Date.now() + 10_000
  }
  await pause
}
console.log(summary())
process.exitCode = Object.keys(counts).some((status) => status === '200') ? 0 : 1

async function post(path, body) {
  try {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key ? { authorization: `Bearer ${key}` } : {}),
      },
      body: JSON.stringify(body),
    })
    await response.arrayBuffer()
    return response.status
  } catch {
    return 'no answer'
  }
}

function summary() {
  return Object.entries(counts)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ')
}
