/**
 * What is said once in a session and asked for later, in the words of the text and in others. Written by
 * hand for the fit alone: nothing here is among the plants of the measurement, and must not become so.
 */

import { pick, type Random } from './random-choice.ts'
import { CITIES, COLOURS, COUNTRIES, METHODS, NAMES } from './vocabulary.ts'

export interface Fact {
  readonly by: 'user' | 'assistant' | 'tool'
  /** A rule of the user's holds for every later task, asked for or not. */
  readonly isRule: boolean
  readonly text: string
  /** A statement that it takes back. */
  readonly superseded?: string
  readonly questions: readonly string[]
}

interface Template {
  readonly text: string
  readonly before?: string
  readonly isRule?: boolean
  readonly same: string
  readonly other: readonly string[]
}

const BY_USER: readonly Template[] = [
  {
    text: 'Heads up: the {c} kiosk stands in hall {n}.',
    same: 'Which hall does the {c} kiosk stand in?',
    other: ['Where do I find the terminal of {c}?', 'In what room is the machine for {c} guests?'],
  },
  {
    text: 'The sensor readings of {c} are kept for {n} days.',
    same: 'For how many days are the sensor readings of {c} kept?',
    other: ['How long until measurements from {c} are thrown away?'],
  },
  {
    text: 'Always write the labels of {c} in small letters, with the number {n} in front.',
    isRule: true,
    same: 'How must the labels of {c} be written?',
    other: ['What do captions in {c} have to look like?'],
  },
  {
    text: 'Do not rename anything in assets/{c}/{n}, the museum shop links to it.',
    isRule: true,
    same: 'What in assets may you not rename for {c}?',
    other: [
      'Is there something of {c} that I may not move around?',
      'Which part of {c} has to stay where it is?',
    ],
  },
  {
    text: 'Sorry, the opening hour of {c} is {n}, not {m}.',
    before: 'The opening hour of {c} is {m}.',
    same: 'What is the opening hour of {c}?',
    other: ['From when on may visitors come into {c}?'],
  },
  {
    text: 'We spend {n} euros a month on {c} at most.',
    same: 'How many euros a month do we spend on {c} at most?',
    other: ['How expensive may it get to run {c}?', 'What is the budget for {c}?'],
  },
  {
    text: '{name} knows the drawings of {c}, call extension {n}.',
    same: 'Who knows the drawings of {c}?',
    other: [
      'Which colleague can help me with the plans for {c}?',
      'Whom should I phone if I do not understand the sketches of {c}?',
    ],
  },
  {
    text: 'From tomorrow on the backups of {c} run at {n} minutes past four.',
    same: 'When do the backups of {c} run?',
    other: ['At what time of the day is {c} saved?'],
  },
  {
    text: 'Use metres everywhere in {c}, never feet, as agreed in letter {n}.',
    isRule: true,
    same: 'Which unit do we use everywhere in {c}?',
    other: ['How should distances be given in {c}?', 'What do I have to measure {c} in?'],
  },
  {
    text: 'Forget what I said about the colour of {c}: it is {colour} {n} now.',
    before: 'The colour of {c} is {colour}.',
    same: 'What is the colour of {c}?',
    other: ['How is {c} painted?', 'Which paint should I order for {c}?'],
  },
  {
    text: 'Guests of {c} from {country} must not see prices, their contract {n} says so.',
    isRule: true,
    same: 'Which guests of {c} must not see prices?',
    other: ['What do we hide from clients of {c}, and from whom?'],
  },
  {
    text: 'Nothing of {c} goes out on a Friday, and after {n} o’clock never without a call.',
    isRule: true,
    same: 'On which day does nothing of {c} go out?',
    other: ['When am I not allowed to publish {c}?'],
  },
  {
    text: 'Keep the files of {c} under {n} lines each, the old editor cannot open more.',
    isRule: true,
    same: 'Under how many lines do we keep the files of {c}?',
    other: ['How big may a source get in {c}?'],
  },
]

const BY_ASSISTANT: readonly Template[] = [
  {
    text: 'I measured it: opening {c} takes {n} milliseconds.',
    same: 'How many milliseconds does opening {c} take?',
    other: ['How slow is the start of {c}?', 'What did you find about the speed of {c}?'],
  },
  {
    text: 'The cause was a comma missing in line {n} of {c}.yml.',
    same: 'In which line of {c}.yml was the comma missing?',
    other: ['What had broken the settings of {c}?'],
  },
  {
    text: 'I took {method} for {c}, because it needs less memory than the {n} others.',
    same: 'What did you take for {c} because it needs less memory?',
    other: ['Which approach did you settle on for {c}?', 'How does {c} put things in order now?'],
  },
  {
    text: 'The draft for {c} is saved as sketch-{n}.svg.',
    same: 'As what is the draft for {c} saved?',
    other: ['Where did you put the first design of {c}?'],
  },
  {
    text: 'As far as I can tell {c} was switched on by {name} in week {n}.',
    same: 'In which week was {c} switched on?',
    other: ['Since when is {c} live, and thanks to whom?'],
  },
]

const BY_TOOL: readonly Template[] = [
  {
    text: '{c}_timezone = "{city}+{n}"',
    same: 'What is {c}_timezone?',
    other: ['Where in the world does the clock of {c} run?'],
  },
  {
    text: 'WARN {c}: disk {n}% full, rotating logs',
    same: 'How full was the disk in the warning of {c}?',
    other: ['Did {c} run out of space?', 'Was there any alarm about storage in {c}?'],
  },
  {
    text: "TypeError: cannot read property 'rows' of undefined at {c}/grid.tsx:{n}",
    same: 'Where did {c} throw the TypeError?',
    other: ['What crashed in {c}?', 'Which exception did {c} die of?'],
  },
  {
    text: 'FAILED tests/{c}_spec.py::test_{colour} - AssertionError: {n} != {m}',
    same: 'What did test_{colour} of {c} fail with?',
    other: ['Which check of {c} went wrong, and how?', 'What did the broken build of {c} say?'],
  },
  {
    text: 'licence: {c}-{n}, expires 2031-05-11, holder {name}',
    same: 'When does the licence of {c} expire?',
    other: ['Until when are we allowed to use {c}?', 'In whose name is {c} registered?'],
  },
  {
    text: 'select count(*) from {c}_visitors -> {n}',
    same: 'How many {c}_visitors did the select count?',
    other: ['What was the number of people in {c}?'],
  },
  {
    text: '* 4fe{n} {name}: repair the overflow of {c}',
    same: 'Who did repair the overflow of {c}?',
    other: ['Which person last fixed {c}?'],
  },
  {
    text: 'GET https://api.example.net/{c}/v{n} -> 404',
    same: 'Which address of {c} answered 404?',
    other: ['What link to {c} is dead?'],
  },
  {
    text: '{c}.contact: {name} ({city} office, desk {n})',
    same: 'Who is the contact of {c}?',
    other: ['Whom could I ask about {c}?', 'To whom does {c} belong?'],
  },
  {
    text: 'curl: (28) connection to {c}.example.net timed out after {n} ms',
    same: 'After how many ms did the connection to {c} time out?',
    other: ['What did the call that failed on {c} print?', 'Why could {c} not be reached?'],
  },
]

/** One fact about a component; asked for in the same words first, then in others. */
export function makeFact(component: string, random: Random): Fact {
  const kind = random()
  const [by, templates] =
    kind < 0.5
      ? (['user', BY_USER] as const)
      : kind < 0.7
        ? (['assistant', BY_ASSISTANT] as const)
        : (['tool', BY_TOOL] as const)
  const template = pick(templates, random)
  const values: Readonly<Record<string, string>> = {
    c: component,
    n: String(10 + Math.floor(random() * 9_000)),
    m: String(10 + Math.floor(random() * 9_000)),
    name: pick(NAMES, random),
    colour: pick(COLOURS, random),
    country: pick(COUNTRIES, random),
    method: pick(METHODS, random),
    city: pick(CITIES, random),
  }
  const fill = (text: string): string => text.replaceAll(/\{(\w+)\}/g, (_, name) => values[name]!)
  return {
    by,
    isRule: template.isRule === true,
    text: fill(template.text),
    ...(template.before !== undefined && { superseded: fill(template.before) }),
    questions: [template.same, ...template.other].map(fill),
  }
}
