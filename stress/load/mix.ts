/** What is sent: sizes, their shares, and the bodies of each. */
import { BODY_KINDS, type BodyTemplate, createTemplate, stampBody } from '../lib/bodies.ts'

export const SIZE_CLASSES = [
  { name: '20 kB', bytes: 20_000, perHundred: 90, templates: 8 },
  { name: '200 kB', bytes: 200_000, perHundred: 9, templates: 3 },
  { name: '5 MB', bytes: 5_000_000, perHundred: 1, templates: 1 },
] as const

export type SizeClass = (typeof SIZE_CLASSES)[number]['name']

export interface Bodies {
  readonly next: (size: SizeClass) => Buffer
  /** For the next request of the mix: each hundred has exactly its shares, in an order of chance. */
  readonly nextClass: () => SizeClass
}

/** Made once, in all formats; what is sent are copies with new texts. `sizes`: those that come at all. */
export function createBodies(
  random: () => number,
  sizes: readonly SizeClass[] = SIZE_CLASSES.map(({ name }) => name),
): Bodies {
  const wanted = SIZE_CLASSES.filter(({ name }) => sizes.includes(name))
  const templates = new Map<SizeClass, readonly BodyTemplate[]>(
    wanted.map(({ name, bytes, templates: count }) => [
      name,
      Array.from({ length: count }, (_, seed) =>
        BODY_KINDS.map((kind) => createTemplate(kind, bytes, seed + 1)),
      ).flat(),
    ]),
  )
  let number = 0
  const turns = new Map<SizeClass, number>()
  let deck: SizeClass[] = []
  return {
    next(size) {
      const own = templates.get(size) ?? []
      const turn = turns.get(size) ?? 0
      turns.set(size, turn + 1)
      const template = own[turn % own.length]
      if (template === undefined) throw new Error(`there is no body of ${size}`)
      number += 1
      return stampBody(template, number)
    },
    nextClass() {
      if (deck.length === 0) deck = shuffledHundred(random).filter((name) => sizes.includes(name))
      return deck.pop() ?? '20 kB'
    },
  }
}

function shuffledHundred(random: () => number): SizeClass[] {
  const hundred = SIZE_CLASSES.flatMap(({ name, perHundred }) =>
    Array.from({ length: perHundred }, () => name),
  )
  return hundred
    .map((name) => ({ name, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ name }) => name)
}
