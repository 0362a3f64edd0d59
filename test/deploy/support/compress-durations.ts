/** Two real seconds stand for a minute. Faster, and a busy machine looks like one that is down. */
export const FACTOR = 30

const MILLISECONDS = { s: 1_000, m: 60_000, h: 3_600_000 } as const

/** Windows, offsets, pauses and intervals of Prometheus's configuration and rules. */
const DURATION = /(\[|offset |\bfor: |interval: )(\d+)([smh])(?=[\s\]:,})]|$)/gm

/** The same rules for a Prometheus that lives `FACTOR` times as fast. */
export function compressDurations(text: string): string {
  return text.replaceAll(DURATION, (_, before: string, count: string, unit: 's' | 'm' | 'h') => {
    return `${before}${(Number(count) * MILLISECONDS[unit]) / FACTOR}ms`
  })
}
