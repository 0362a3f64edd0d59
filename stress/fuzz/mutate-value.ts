import type { SeededRandom } from '../../test/helpers/seeded-random.ts'
import type { JsonRecord } from './types.ts'

/** One place of a JSON value: a member of an object or an item of a list. */
interface Place {
  readonly holder: JsonRecord | unknown[]
  readonly key: string | number
}

/** Names that every object answers to, and one that changes what an object is. */
const KEYS = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  'length',
  '\ud800',
  'a/b~c',
]

const LONG_TEXT = 'as long as a text may be '.repeat(50_000)

/** A long text is dear: one in so many mutations of a text. */
const LONG_TEXT_SHARE = 0.02

const NUMBERS = [
  0,
  -1,
  -0,
  0.5,
  1e308,
  -1e308,
  5e-324,
  2 ** 31,
  2 ** 53,
  2 ** 53 + 2,
  1e21,
  200_001,
]

const deep = (levels: number): unknown => {
  let value: unknown = []
  for (let level = 1; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

function drawText(random: SeededRandom, text: string): string {
  if (random.chance(LONG_TEXT_SHARE)) return LONG_TEXT
  return random.pick([
    '',
    ' ',
    '\ud83d',
    `${text}\ude00`,
    `\u0000\u001b[31m${text}\u007f`,
    '\u202e\ufeff\u2028',
    '__proto__',
    'NaN',
    'null',
    'data:image/png;base64,AAAA',
    text.slice(1),
    text + text,
    text.toUpperCase(),
  ])
}

function drawOtherType(random: SeededRandom): unknown {
  return random.pick<() => unknown>([
    () => null,
    () => true,
    () => 7,
    () => 'a text',
    () => [],
    () => ({}),
    () => [[]],
    () => [null],
    () => ({ type: 'text', text: 'a text' }),
    () => ({ role: 'user', content: 'a text' }),
  ])()
}

type Mutate = (random: SeededRandom, place: Place, value: unknown) => void

/** Each changes one thing of a value that it may write to. */
const MUTATIONS: Readonly<Record<string, Mutate>> = {
  'type changed': (random, place) => put(place, drawOtherType(random)),
  'member deleted': (_random, { holder, key }) => {
    if (Array.isArray(holder)) holder.splice(Number(key), 1)
    else delete holder[key]
  },
  'item repeated': (random, { holder, key }, value) => {
    if (!Array.isArray(holder)) return
    const times = random.chance(0.05) ? 1_200 : 1 + random.below(3)
    holder.splice(Number(key), 0, ...Array.from({ length: times }, () => value))
  },
  'items swapped': (random, place, value) => {
    const { holder } = place
    const keys = Object.keys(holder)
    const other: Place = { holder, key: random.pick(keys) }
    put(place, read(other))
    put(other, value)
  },
  'list reversed': (_random, place, value) => {
    put(place, Array.isArray(value) ? value.reverse() : [value])
  },
  'number changed': (random, place, value) => {
    const changed = typeof value === 'number' ? -value : random.pick(NUMBERS)
    put(place, random.chance(0.8) ? random.pick(NUMBERS) : changed)
  },
  'text changed': (random, place, value) => {
    put(place, drawText(random, typeof value === 'string' ? value : 'a text'))
  },
  'key changed': (random, { holder, key }, value) => {
    if (!Array.isArray(holder)) delete holder[key]
    put(
      { holder: Array.isArray(holder) ? recordAt(holder) : holder, key: random.pick(KEYS) },
      value,
    )
  },
  'member added': (random, { holder }, value) => {
    const target = Array.isArray(holder) ? recordAt(holder) : holder
    put({ holder: target, key: random.pick([...KEYS, 'content', 'role', 'type', 'parts']) }, value)
  },
  'nested deep': (random, place) => put(place, deep(random.pick([5, 100, 480, 520, 3_000]))),
}

export const VALUE_MUTATIONS = Object.keys(MUTATIONS)

/**
 * Changes one thing at one place of the body, which is written to. The top is as likely a place as
 * any below it, or nearly all mutations would hit the text of some message.
 */
export function mutateValue(random: SeededRandom, name: string, body: unknown): void {
  const place = drawPlace(random, body)
  if (place !== undefined) MUTATIONS[name]?.(random, place, copyOf(read(place)))
}

const STOP_SHARE = 0.2

function drawPlace(random: SeededRandom, body: unknown): Place | undefined {
  let place: Place | undefined
  let value = body
  while (typeof value === 'object' && value !== null) {
    const keys = Array.isArray(value) ? value.length : Object.keys(value).length
    if (keys === 0) break
    const holder = value as JsonRecord | unknown[]
    const key = Array.isArray(holder) ? random.below(keys) : random.pick(Object.keys(holder))
    place = { holder, key }
    value = read(place)
    if (random.chance(STOP_SHARE)) break
  }
  return place
}

/** What is put somewhere else must not be what holds it. */
function copyOf(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}

function read({ holder, key }: Place): unknown {
  return (holder as JsonRecord)[key]
}

/** Defines: an assignment to `__proto__` would be none. */
function put({ holder, key }: Place, value: unknown): void {
  const member = { value, writable: true, enumerable: true, configurable: true }
  Object.defineProperty(holder, key, member)
}

/** The first object of a list, which has keys to be changed. */
function recordAt(list: readonly unknown[]): JsonRecord {
  const found = list.find(
    (item) => typeof item === 'object' && item !== null && !Array.isArray(item),
  )
  return (found ?? {}) as JsonRecord
}
