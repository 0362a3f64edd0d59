/**
 * One dialogue among others: its last user turn is the request, its earlier turns are what the request
 * needs. In a return the dialogue lies anywhere and the request comes back to it; in a stay it is the
 * newest.
 */
import type { Dialogue } from '../lib/dialogues.ts'
import type { LabelledCase, Turn } from '../lib/labelled-case.ts'
import { createRandom, type RandomStream } from '../lib/random.ts'

const FEWEST_OTHERS = 3
const MOST_OTHERS = 42

export type CompositeKind = 'return' | 'stay'

/** `rounds` composites for every dialogue with an earlier turn, each among different others. */
export function buildComposites(
  dialogues: readonly Dialogue[],
  kind: CompositeKind,
  rounds: number,
  seed: number,
): LabelledCase[] {
  const random = createRandom(seed)
  return dialogues.flatMap((own, number) => {
    const request = own.history.at(-1)?.user
    if (request === undefined || own.history.length < 2) return []
    return Array.from({ length: rounds }, (): LabelledCase => {
      const others = pickOthers(dialogues, own, random)
      const place = kind === 'stay' ? others.length : random.below(others.length)
      const parts = others.map(({ history }) => turnsOf(history, false))
      parts.splice(place, 0, turnsOf(own.history.slice(0, -1), true))
      return { conversation: `dialogue-${number}`, request, turns: parts.flat() }
    })
  })
}

function pickOthers(
  dialogues: readonly Dialogue[],
  own: Dialogue,
  random: RandomStream,
): Dialogue[] {
  const wanted = FEWEST_OTHERS + random.below(MOST_OTHERS - FEWEST_OTHERS + 1)
  const others = new Set<Dialogue>()
  while (others.size < Math.min(wanted, dialogues.length - 1)) {
    const other = random.pick(dialogues)
    if (other !== own) others.add(other)
  }
  return [...others]
}

function turnsOf(history: Dialogue['history'], needed: boolean): Turn[] {
  return history.flatMap(({ user, bot }): Turn[] => [
    { role: 'user', text: user, needed },
    { role: 'assistant', text: bot, needed },
  ])
}
