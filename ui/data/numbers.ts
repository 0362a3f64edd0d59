const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

export function formatTokens(count: number): string {
  return whole.format(count)
}

export function formatPercent(part: number, all: number): string {
  return all === 0 ? '0%' : `${Math.round((part / all) * 100)}%`
}

export function formatProbability(probability: number): string {
  if (probability > 0 && probability < 0.001) return '<0.001'
  return probability.toFixed(probability < 0.1 ? 3 : 2)
}

export function formatBytes(count: number): string {
  if (count < 1_000) return `${count} B`
  return count < 1_000_000 ? `${Math.round(count / 1_000)} kB` : `${(count / 1e6).toFixed(1)} MB`
}

export function plural(count: number, noun: string): string {
  return `${formatTokens(count)} ${noun}${count === 1 ? '' : 's'}`
}
