/**
 * Sessions of errands in which something is said once: a request asks for one such thing or for several,
 * in its words or in others, or sets a task that rests on the rules of its component.
 */
import type { Dialogue } from '../composites.ts'
import { type LabelledCase, randomStream, type Turn } from '../labelled-case.ts'
import {
  grep,
  listSettings,
  makeFile,
  openFile,
  plantLine,
  readPage,
  runTests,
} from './exchange.ts'
import { type Fact, makeFact } from './facts.ts'
import { fill } from './fill.ts'
import { between, pick, type Random, sample } from './random-choice.ts'
import { COMPONENTS, ERRANDS, REMARKS, RULED_TASKS, SAYINGS } from './vocabulary.ts'

const REQUESTS_PER_SESSION = 4
/** The messages behind the last exchanges that are never judged, the request among them: two exchanges. */
const RECENT = 3
const ROUNDS_PER_ERRAND = 5
/** Else a statement is followed by an answer that says nothing. */
const SAID_ALONE = 0.3
const RULED = 0.2
const ONE_THING = 0.75

type Told = Omit<Turn, 'needed'> & { readonly fact?: Fact }

export function buildRecallSessions(
  dialogues: readonly Dialogue[],
  count: number,
  seed: number,
): LabelledCase[] {
  const random = randomStream(seed)
  const cases: LabelledCase[] = []
  while (cases.length < count) {
    const told = tellSession(dialogues, random)
    for (let round = 0; round < REQUESTS_PER_SESSION; round += 1) {
      const made = random() < RULED ? setTask(told, random) : askFor(told, random)
      if (made !== undefined) cases.push(made)
    }
  }
  return cases.slice(0, count)
}

function tellSession(dialogues: readonly Dialogue[], random: Random): Told[] {
  const components = sample(COMPONENTS, between(4, 12, random), random)
  const facts = Array.from({ length: between(4, 14, random) }, () =>
    makeFact(pick(components, random), random),
  )
  const rounds = between(20, 160, random)
  const places = facts.map((fact) => ({ fact, at: Math.floor(random() * rounds) }))
  const told: Told[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const { fact, at } of places)
      if (at === round) told.push(...tellFact(fact, dialogues, components, random))
    if (round % ROUNDS_PER_ERRAND === 0) {
      told.push({ role: 'user', text: fill(pick(ERRANDS, random), components, random) })
    }
    told.push({ role: 'tool', text: noise(dialogues, components, random) })
    if (round % ROUNDS_PER_ERRAND === ROUNDS_PER_ERRAND - 1) {
      told.push({ role: 'assistant', text: fill(pick(REMARKS, random), components, random) })
    }
  }
  return told
}

function tellFact(
  fact: Fact,
  dialogues: readonly Dialogue[],
  components: readonly string[],
  random: Random,
): Told[] {
  if (fact.by === 'tool') {
    const text = plantLine(noise(dialogues, components, random), fact.text, random)
    return [{ role: 'tool', text, fact }]
  }
  if (fact.by === 'assistant') return [{ role: 'assistant', text: fact.text, fact }]
  const said: Told[] = []
  if (fact.superseded !== undefined) said.push({ role: 'user', text: fact.superseded })
  said.push({ role: 'user', text: fact.text, fact })
  if (random() > SAID_ALONE)
    said.push({ role: 'assistant', text: pick(['Understood.', 'Will do.', 'All right.'], random) })
  return said
}

function noise(
  dialogues: readonly Dialogue[],
  components: readonly string[],
  random: Random,
): string {
  const component = pick(components, random)
  const say = fill(pick(SAYINGS, random), components, random)
  switch (Math.floor(random() * 6)) {
    case 0:
      return grep(component, say, random)
    case 1:
      return runTests(component, undefined, say, random)
    case 2:
      return listSettings(component, say, random)
    case 3:
      return readPage(proseOf(dialogues, random), say, random)
    default:
      return openFile(makeFile(component, random), say)
  }
}

function proseOf(dialogues: readonly Dialogue[], random: Random): string[] {
  const { history } = pick(dialogues, random)
  return history
    .flatMap(({ bot }) => bot.split(/(?<=[.!?])\s+|\n+/))
    .slice(0, between(4, 30, random))
}

function askFor(told: readonly Told[], random: Random): LabelledCase | undefined {
  const known = told.slice(0, -RECENT).flatMap(({ fact }) => fact ?? [])
  if (known.length === 0) return undefined
  const isOne = random() < ONE_THING
  const asked = new Set(sample(known, isOne ? 1 : between(2, 6, random), random))
  const questions = [...asked].map(({ questions }) =>
    random() < 0.4 ? questions[0]! : pick(questions.slice(1), random),
  )
  const request = questions.join(pick(['\n', ' '], random))
  return toCase('recall', request, told, ({ fact }) => fact !== undefined && asked.has(fact))
}

function setTask(told: readonly Told[], random: Random): LabelledCase | undefined {
  const rules = told.slice(0, -RECENT).flatMap(({ fact }) => (fact?.isRule ? [fact] : []))
  if (rules.length === 0) return undefined
  const component = componentOf(pick(rules, random))
  const request = fill(pick(RULED_TASKS, random), [component], random)
  return toCase(
    'task',
    request,
    told,
    ({ fact }) => fact?.isRule === true && componentOf(fact) === component,
  )
}

function componentOf({ text }: Fact): string {
  return COMPONENTS.find((component) => text.includes(component))!
}

function toCase(
  kind: string,
  request: string,
  told: readonly Told[],
  isNeeded: (told: Told) => boolean,
): LabelledCase {
  const turns = told.map((one): Turn => ({ role: one.role, text: one.text, needed: isNeeded(one) }))
  return { kind, request, turns, recent: RECENT, isUnderWay: false }
}
