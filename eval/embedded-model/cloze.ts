/**
 * Questions about one message, made from MT-Bench-101 dialogues: their sentences are dealt out as short
 * turns of two invented speakers, one sentence is taken out of its turn, and a few of its words become the
 * request. The turn that it was taken from is what the request needs, and nothing else is.
 */
import type { Dialogue } from './composites.ts'
import { type LabelledCase, randomStream, type Turn } from './labelled-case.ts'

const SPEAKERS =
  'Ada Boris Chen Dora Emil Farah Goran Hana Igor Julia Kofi Lena Mateo Nadia Omar Petra Rosa Samir Tanya Yusuf'
const COMMON = new Set(
  `the a an of and in to is are was were be been being it its this that these those for with as by on at from or not no can
could would should will may might do does did have has had i you he she we they them his her their my your our me him us
there here what which who when where how why if then than so such also but about into over more most some any all each other
one`.split(/\s+/),
)
const FEWEST_DIALOGUES = 8
const MOST_DIALOGUES = 57
const FEWEST_TURNS = 60
const REQUESTS_PER_CONVERSATION = 2
const MOST_TURNS_OF_A_MESSAGE = 4
/** Else the sentence stays in its turn, as where a request repeats what was said. */
const TAKEN_OUT = 0.85

interface Spot {
  readonly turn: number
  readonly sentences: readonly string[]
}

type Random = () => number

export function buildClozes(
  dialogues: readonly Dialogue[],
  count: number,
  seed: number,
): LabelledCase[] {
  const random = randomStream(seed)
  const cases: LabelledCase[] = []
  while (cases.length < count) {
    const { turns, spots } = dealConversation(dialogues, random)
    if (turns.length < FEWEST_TURNS || spots.length === 0) continue
    for (let round = 0; round < REQUESTS_PER_CONVERSATION; round += 1) {
      const made = askAbout(turns, pick(spots, random), random)
      if (made !== undefined) cases.push(made)
    }
  }
  return cases.slice(0, count)
}

function dealConversation(dialogues: readonly Dialogue[], random: Random) {
  const turns: Turn[] = []
  const spots: Spot[] = []
  const names = SPEAKERS.split(' ')
  const first = names.splice(Math.floor(random() * names.length), 1)[0]!
  const speakers = [first, pick(names, random)] as const
  const span = MOST_DIALOGUES - FEWEST_DIALOGUES + 1
  const count = FEWEST_DIALOGUES + Math.floor(random() * span)
  for (let dealt = 0; dealt < count; dealt += 1) {
    for (const { user, bot } of pick(dialogues, random).history) {
      dealMessage(user, speakers, turns, spots, random)
      dealMessage(bot, [speakers[1], speakers[0]], turns, spots, random)
    }
  }
  return { turns, spots }
}

function dealMessage(
  text: string,
  speakers: readonly [string, string],
  turns: Turn[],
  spots: Spot[],
  random: Random,
): void {
  const sentences = text
    .split(/(?<=[.!?])\s+|\n+/)
    .filter(({ length }) => length > 15 && length < 300)
  let start = 0
  for (let part = 0; part < MOST_TURNS_OF_A_MESSAGE && start < sentences.length; part += 1) {
    const own = sentences.slice(start, start + 1 + Math.floor(random() * 3))
    start += own.length
    if (own.length > 1) spots.push({ turn: turns.length, sentences: own })
    turns.push({ role: 'user', speaker: speakers[part % 2]!, text: own.join(' '), needed: false })
  }
}

function askAbout(
  turns: readonly Turn[],
  { turn, sentences }: Spot,
  random: Random,
): LabelledCase | undefined {
  const hidden = Math.floor(random() * sentences.length)
  const words = sentences[hidden]!.split(/[^\p{L}\p{N}'-]+/u).filter(
    (word) => word !== '' && !COMMON.has(word.toLowerCase()),
  )
  if (words.length < 3) return undefined
  const share = (2 + Math.floor(random() * 4)) / words.length
  const chosen = words.filter(() => random() < share).slice(0, 6)
  if (chosen.length === 0) return undefined
  const rest = random() < TAKEN_OUT ? sentences.filter((_, index) => index !== hidden) : sentences
  const about = chosen.join(' ')
  const name = turns[turn]!.speaker
  const request = pick(
    [
      `What did ${name} say about ${about}?`,
      `When did ${name} talk about ${about}?`,
      `What was it about ${about}?`,
      `Why ${about}?`,
      `What does ${name} think of ${about}?`,
      about,
    ],
    random,
  )
  const asked = turns.map((other, index) =>
    index === turn ? { ...other, text: rest.join(' '), needed: true } : other,
  )
  return { kind: 'cloze', request, turns: asked }
}

function pick<T>(items: readonly T[], random: Random): T {
  return items[Math.floor(random() * items.length)]!
}
