import { between, pick, type Random } from './random-choice.ts'
import { ACTS, THINGS } from './vocabulary.ts'

/** Gives every name in braces a value: c and d are components, t a thing, a an act, n a number. */
export function fill(template: string, components: readonly string[], random: Random): string {
  const component = pick(components, random)
  return template.replaceAll(/\{([cdtan])\}/g, (_, name) => {
    if (name === 'c') return component
    if (name === 'd') return pick(components, random)
    if (name === 't') return pick(THINGS, random)
    return name === 'a' ? pick(ACTS, random) : String(between(2, 60, random))
  })
}
