/** Output of the session's test runner and of its staging host. */
import { createRandom } from './session.ts'

export interface FailedTest {
  readonly name: string
  readonly at: string
  readonly error: string
}

interface Suite {
  readonly name: string
  readonly passed: readonly string[]
  readonly failed?: readonly FailedTest[]
}

/** What node:test's spec reporter prints; the times differ from run to run as they do there. */
export function testReport(run: number, ...suites: readonly Suite[]): string {
  const random = createRandom(run)
  const took = (): string => `${random(9)}.${String(random(1_000_000)).padStart(6, '0')}ms`
  const failed = suites.flatMap((suite) => suite.failed ?? [])
  const passed = suites.reduce((sum, suite) => sum + suite.passed.length, 0)
  return [
    ...suites.flatMap((suite) => [
      `▶ ${suite.name}`,
      ...suite.passed.map((name) => `  ✔ ${name} (${took()})`),
      ...(suite.failed ?? []).map(({ name }) => `  ✖ ${name} (${took()})`),
      `${(suite.failed ?? []).length === 0 ? '✔' : '✖'} ${suite.name} (1${took()})`,
    ]),
    `ℹ tests ${passed + failed.length}`,
    `ℹ suites ${suites.length}`,
    `ℹ pass ${passed}`,
    `ℹ fail ${failed.length}`,
    `ℹ duration_ms 3${random(90) + 10}.${random(900) + 100}`,
    ...(failed.length === 0 ? [] : ['', '✖ failing tests:']),
    ...failed.flatMap(({ name, at, error }) => [`test at ${at}`, `✖ ${name}`, indent(error), '']),
  ].join('\n')
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ')
}

const PATHS = ['/orders', '/orders/{id}', '/orders/{id}/checkout', '/refunds', '/healthz'] as const

/**
 * Lines of the service's log between the given events, which stand at their positions. Seconds run
 * on from the start of the minute.
 */
export function serviceLog(
  seed: number,
  minute: string,
  length: number,
  events: Readonly<Record<number, object>>,
): string {
  const random = createRandom(seed)
  let milliseconds = 400 + random(900)
  return Array.from({ length }, (_, index) => {
    milliseconds += 20 + random(Math.floor(50_000 / length))
    const time = `${minute}:${(milliseconds / 1000).toFixed(3).padStart(6, '0')}Z`
    const event = events[index] ?? {
      level: 'info',
      message: 'request',
      path: PATHS[random(PATHS.length)],
      status: random(12) === 0 ? 404 : 200,
      tookMs: 3 + random(140),
    }
    return JSON.stringify({ time, ...event })
  }).join('\n')
}
