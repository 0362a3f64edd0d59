export type Random = () => number

export function pick<T>(items: readonly T[], random: Random): T {
  return items[Math.floor(random() * items.length)]!
}

/** A whole number from `least` to `most`. */
export function between(least: number, most: number, random: Random): number {
  return least + Math.floor(random() * (most - least + 1))
}

export function sample<T>(items: readonly T[], count: number, random: Random): T[] {
  const rest = [...items]
  const chosen: T[] = []
  while (chosen.length < count && rest.length > 0) {
    chosen.push(...rest.splice(Math.floor(random() * rest.length), 1))
  }
  return chosen
}
