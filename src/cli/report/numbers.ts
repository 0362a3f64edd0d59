export function formatNumber(value: number): string {
  return value.toLocaleString('en-US')
}

/** Never 100% of what is not all of it. */
export function formatPercent(part: number, whole: number): string {
  if (whole === 0) return '0%'
  const percent = Math.round((100 * part) / whole)
  return percent === 100 && part < whole ? '>99%' : `${percent}%`
}

/** `1 message`, `2 messages`. */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`
}
