/**
 * For a test that measures time: other work on the machine only ever adds to it, so that one quiet
 * measurement of several is enough, and work that grows too fast fails them all.
 */
export const TIMED = { retry: 3 } as const

/** Milliseconds of the processor that work took: what else runs on the machine is not in them. */
export async function processorTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
