/**
 * MT-Bench-101 composites: one dialogue among 3 to 42 others. Its last user turn is the request, its
 * earlier turns are what that request needs. In a `return` the dialogue lies anywhere and the request
 * comes back to it; in a `stay` it is the newest.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type LabelledCase, randomStream, type Turn } from './labelled-case.ts'

const FEWEST_OTHERS = 3
const MOST_OTHERS = 42
/** Share of the dialogues that the fit sees; composites never mix the two sides. */
const FIT_SHARE = 0.75
const SPLIT_SEED = 7

export interface Dialogue {
  readonly history: readonly { readonly user: string; readonly bot: string }[]
}

export interface Split {
  readonly fit: readonly Dialogue[]
  readonly heldOut: readonly Dialogue[]
}

export function readDialogues(dataFolder: string): Split {
  const path = join(dataFolder, 'mt-bench-101', 'mtbench101.jsonl')
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  const random = randomStream(SPLIT_SEED)
  const fit: Dialogue[] = []
  const heldOut: Dialogue[] = []
  for (const line of lines) (random() < FIT_SHARE ? fit : heldOut).push(JSON.parse(line))
  return { fit, heldOut }
}

/** `rounds` composites of each kind for every dialogue with an earlier turn. */
export function buildComposites(
  dialogues: readonly Dialogue[],
  rounds: number,
  seed: number,
): LabelledCase[] {
  const random = randomStream(seed)
  const cases: LabelledCase[] = []
  for (const dialogue of dialogues) {
    const request = dialogue.history.at(-1)?.user
    if (request === undefined || dialogue.history.length < 2) continue
    for (let round = 0; round < rounds; round += 1) {
      for (const kind of ['return', 'stay']) {
        const others = pickOthers(dialogues, dialogue, random)
        const place = kind === 'stay' ? others.length : Math.floor(random() * others.length)
        const parts = others.map((other) => turnsOf(other.history, false))
        parts.splice(place, 0, turnsOf(dialogue.history.slice(0, -1), true))
        cases.push({ kind, request, turns: parts.flat() })
      }
    }
  }
  return cases
}

function pickOthers(
  dialogues: readonly Dialogue[],
  own: Dialogue,
  random: () => number,
): Dialogue[] {
  const count = FEWEST_OTHERS + Math.floor(random() * (MOST_OTHERS - FEWEST_OTHERS + 1))
  const others = new Set<Dialogue>()
  while (others.size < count) {
    const other = dialogues[Math.floor(random() * dialogues.length)]
    if (other !== undefined && other !== own) others.add(other)
  }
  return [...others]
}

function turnsOf(history: Dialogue['history'], needed: boolean): Turn[] {
  return history.flatMap(({ user, bot }): Turn[] => [
    { role: 'user', text: user, needed },
    { role: 'assistant', text: bot, needed },
  ])
}
