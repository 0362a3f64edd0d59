/** Generated requests against the compiled service; exits with 1 where a promise is broken. */
import { isShort, printEnvironment, printTable } from '../bench/lib/report.ts'
import { type FuzzReport, fuzzService, type SeededFinding } from './fuzz/fuzz-service.ts'
import { generateRequest } from './fuzz/generate-request.ts'
import { printReplay } from './fuzz/print-replay.ts'
import { startTarget } from './fuzz/start-target.ts'

const REQUESTS = 200_000
const SHORT_REQUESTS = 3_000
const SEED = 1

/** What a process may grow by after its first tenth: caches fill up to their limits, 64 MiB each. */
const MAX_GROWTH_BYTES = 400 * 1024 * 1024

const MAX_SHOWN = 30
const MAX_LOG_CHARACTERS = 20_000

const only = readNumber('only')
const seed = only ?? readNumber('seed') ?? SEED
const requests = only === undefined ? (readNumber('requests') ?? defaultRequests()) : 1
const connections = readNumber('connections')

// Whoever has waited long enough gets the report of what has been done.
const stopped = new AbortController()
process.once('SIGINT', () => stopped.abort())

const target = await startTarget()
printEnvironment()
const report = await fuzzService(target, {
  requests,
  seed,
  ...(connections !== undefined && { connections }),
  signal: stopped.signal,
  onFinding: ({ check, detail, seed: found }) => {
    process.stderr.write(`${check}: ${detail}, --only=${found}\n`)
  },
  onProgress: (done, perSecond) => {
    process.stderr.write(`${done} of ${requests}, ${perSecond.toFixed(0)} a second\n`)
  },
})
if (only !== undefined) await printReplay(generateRequest(only), target)
const exitCode = await target.close()
print(report, exitCode)
process.exitCode = isKept(report) && exitCode === 0 ? 0 : 1

function defaultRequests(): number {
  return isShort ? SHORT_REQUESTS : REQUESTS
}

function readNumber(name: string): number | undefined {
  const prefix = `--${name}=`
  const argument = process.argv.find((one) => one.startsWith(prefix))
  if (argument === undefined) return undefined
  const value = Number(argument.slice(prefix.length))
  if (!Number.isInteger(value) || value < 0) throw new Error(`${prefix} takes a whole number`)
  return value
}

function isKept({ findings, memory, inFlight, ...rest }: FuzzReport): boolean {
  return (
    findings.length === 0 &&
    growthOf(memory) <= MAX_GROWTH_BYTES &&
    inFlight === 0 &&
    rest.invariantViolations === 0 &&
    rest.internalErrors === 0 &&
    rest.log === '' &&
    !rest.hasEnded
  )
}

/** From the end of the first tenth on. */
function growthOf(memory: readonly number[]): number {
  return (memory.at(-1) ?? 0) - (memory[0] ?? 0)
}

function print(result: FuzzReport, code: number | null): void {
  const { memory, seconds, slowest } = result
  const families = [...result.statuses.entries()].sort()
  printTable(
    'Answers',
    ['family', 'status', 'answers'],
    families.flatMap(([family, byStatus]) =>
      [...byStatus.entries()].sort().map(([status, count]) => [family, status, String(count)]),
    ),
  )
  const changes = [...result.changes.entries()].filter(
    ([name]) => !name.startsWith('known mistake'),
  )
  printTable(
    'Requests',
    ['what was done to it', 'requests'],
    changes.sort(([, a], [, b]) => b - a).map(([name, count]) => [name, String(count)]),
  )
  const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0)
  printTable(
    'Outcome',
    ['what', 'value'],
    [
      ['requests', String(result.requests)],
      ['seeds', `${seed} to ${seed + result.requests - 1}`],
      ['seconds', seconds],
      ['requests a second', result.requests / seconds],
      ['CPU seconds of the service', result.cpu.service],
      ['CPU seconds of the fuzzer and the upstream', result.cpu.fuzzer],
      ['findings', String(result.findings.length)],
      ['invariant violations', String(result.invariantViolations)],
      ['internal errors', String(result.internalErrors)],
      ['error lines in the log', String(result.log.split('\n').length - 1)],
      ['in flight at the end', String(result.inFlight)],
      [
        'requests that never end',
        result.sawStalledEnd ? 'ended by the service' : 'not looked at: too short a run',
      ],
      ['slowest request', `${slowest.seconds.toFixed(1)} s, --only=${slowest.seed}`],
      ['longest pause of the fuzzer itself', `${result.ownPauseSeconds.toFixed(1)} s`],
      ['memory after each tenth, MiB', memory.map(megabytes).join(' ')],
      ['process', result.hasEnded ? 'ended' : 'the same, alive'],
      ['exit code after SIGTERM', String(code)],
    ],
  )
  printFindings(result.findings)
  if (result.log !== '') console.log(`\nLog:\n\n${result.log.slice(0, MAX_LOG_CHARACTERS)}`)
}

function printFindings(findings: readonly SeededFinding[]): void {
  if (findings.length === 0) return
  const rows = findings.slice(0, MAX_SHOWN)
  printTable(
    'Findings',
    ['check', 'detail', 'family', 'what was done to it', 'replay'],
    rows.map((one) => [one.check, one.detail, one.family, one.change, `--only=${one.seed}`]),
  )
  for (const { check, smallest } of rows) {
    if (smallest !== undefined) console.log(`\nSmallest body with "${check}":\n\n${smallest}`)
  }
}
