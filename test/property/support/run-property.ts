import fc from 'fast-check'
import { expect, it } from 'vitest'

/** Runs of each property on each format; CI sets more. */
const RUNS = positiveInteger('FAST_CHECK_RUNS', 150)

/** Every property of a file has a seed of its own, in steps from this one. */
const FIRST_SEED = positiveInteger('FAST_CHECK_SEED', 20_260_401)

let properties = 0

/** From so many runs on, a share that a sample must reach is no matter of luck. */
const RUNS_FOR_SHARES = 100

/** Several times what a run takes on a busy machine of two cores; shrinking shares the same limit. */
const MILLISECONDS_PER_RUN = 150
const MILLISECONDS_AT_LEAST = 60_000

/** Notes that a run came by something that the property is about. */
export type Meet = (what: string) => void

export interface PropertyOptions {
  /** Part of the usual runs, for properties whose runs are dear. */
  readonly runs?: number
  /** What has to be met, and in which share of the runs at least: a property that meets nothing proves nothing. */
  readonly meets?: Readonly<Record<string, number>>
}

/**
 * A test that holds for every generated value. Green only if at least half of the runs were made in
 * time. Its title names the seed, so that a red run can be repeated.
 */
export function property<Value>(
  title: string,
  arbitrary: fc.Arbitrary<Value>,
  holds: (value: Value, meet: Meet) => void | Promise<void>,
  options: PropertyOptions = {},
): void {
  const runs = Math.max(1, Math.round(RUNS * (options.runs ?? 1)))
  const seed = FIRST_SEED + 7_919 * properties
  properties += 1
  const limit = MILLISECONDS_AT_LEAST + runs * MILLISECONDS_PER_RUN
  it(`${title} (seed ${seed})`, { timeout: limit * 2 }, async () => {
    const met = new Map<string, number>()
    const details = await fc.check(
      fc.asyncProperty(arbitrary, async (value) => {
        const once = new Set<string>()
        await holds(value, (what) => once.add(what))
        for (const what of once) met.set(what, (met.get(what) ?? 0) + 1)
      }),
      {
        seed,
        numRuns: runs,
        interruptAfterTimeLimit: limit,
        markInterruptAsFailure: false,
      },
    )
    if (details.failed) throw failure(details)
    expect(details.numRuns).toBeGreaterThanOrEqual(Math.ceil(runs / 2))
    // The seed stands for shares of all its runs: of those that a slow machine has come to, luck decides.
    if (details.interrupted || details.numRuns < RUNS_FOR_SHARES * (options.runs ?? 1)) return
    const rare = Object.entries(options.meets ?? {}).flatMap(([what, least]) => {
      const share = (met.get(what) ?? 0) / details.numRuns
      return share < least ? [`${what}: in ${share.toFixed(3)} of the runs, not in ${least}`] : []
    })
    expect(rare).toEqual([])
  })
}

/** The failure of the smallest value that was found, with what repeats it. */
function failure<Value>(details: fc.RunDetails<[Value]>): Error {
  const {
    errorInstance: cause,
    seed,
    counterexamplePath: path,
    numShrinks,
    counterexample,
  } = details
  const reason = cause instanceof Error ? cause.message : String(cause)
  const value = JSON.stringify(counterexample?.[0], null, 1) ?? 'no value'
  const shown = value.length > 12_000 ? `${value.slice(0, 12_000)} ...` : value
  return new Error(
    `${reason}\n\nseed ${seed}, path "${path}", shrunk ${numShrinks} times, run ${details.numRuns}\n${shown}`,
    { cause },
  )
}

function positiveInteger(variable: string, fallback: number): number {
  const given = Number(process.env[variable] ?? fallback)
  if (!Number.isInteger(given) || given < 1)
    throw new Error(`${variable} must be a positive integer`)
  return given
}
