import { describe, expect, it } from 'vitest'
import { closeLinks } from '../../../src/engine/groups.ts'
import { SUMMARY_PREFIX } from '../../../src/engine/marker.ts'
import { protect } from '../../../src/engine/protection.ts'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { gemini } from '../../../src/formats/gemini/index.ts'
import { createSeededRandom, type SeededRandom } from '../../helpers/seeded-random.ts'
import { plan, read } from './support.ts'

const user = { role: 'user', parts: [{ text: 'and then?' }] }
const model = { role: 'model', parts: [{ text: 'that.' }] }
const calling = { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] }
const response = { functionResponse: { name: 'f', response: { output: 'r' } } }
const answering = { role: 'user', parts: [response] }
const orphan = { role: 'function', parts: [{ functionResponse: { name: 'none', response: {} } }] }
const blank = { role: 'user', parts: [{ text: ' ' }] }
const summary = { role: 'user', parts: [{ text: `${SUMMARY_PREFIX}It was said.` }] }
const steps = (count: number): JsonObject[] =>
  Array.from({ length: count }, () => [calling, answering]).flat()

const groupsOf = (...contents: JsonObject[]): (readonly number[])[] =>
  [...closeLinks(read(gemini, { contents })).members.values()].filter(({ length }) => length > 1)

describe('the contents that gemini keeps together', () => {
  it('are the exchanges alone in the first turn and in the current one', () => {
    expect(groupsOf(user, ...steps(2), model, user, ...steps(2))).toEqual([
      [1, 2],
      [3, 4],
      [7, 8],
      [9, 10],
    ])
  })

  it('are, in a turn between, the question and the calls that follow it', () => {
    expect(groupsOf(user, model, user, ...steps(2), model, user)).toEqual([[2, 3, 4, 5, 6]])
  })

  it('are the exchanges alone in a turn between before which no answer stands', () => {
    expect(groupsOf(user, calling, answering, user, calling, answering, user)).toEqual([
      [1, 2],
      [4, 5],
    ])
  })

  it('are, of a loop too long to go as one, the question and the last that is asked', () => {
    const groups = groupsOf(user, model, user, ...steps(9), model, user)
    expect(groups).toHaveLength(10)
    expect(groups[0]).toEqual([2, 22])
    expect(groups[1]).toEqual([3, 4])
  })

  it('are not the questions that only texts answer', () => {
    expect(groupsOf(user, model, user, model, user, model, model, user)).toEqual([])
  })

  it('are those before the first words of the user, where a model speaks there', () => {
    expect(groupsOf(orphan, model, blank, user, model)).toEqual([[0, 1, 2]])
    expect(groupsOf(model, ...steps(1), user, model)).toEqual([[0, 1, 2]])
    expect(groupsOf(model, user, model)).toEqual([])
    expect(groupsOf(orphan, orphan, user, model)).toEqual([])
    expect(groupsOf(user, model, orphan, user)).toEqual([])
  })

  it('are all calls of a loop that follows no user, for the next would be at fault as the first is', () => {
    expect(groupsOf(user, model, ...steps(2), model, user)).toEqual([[2, 3, 4, 5]])
    expect(groupsOf(user, calling, ...steps(2), model, user)).toEqual([[2, 3, 4, 5]])
  })

  it('are never held by a summary, in whose place a newer one comes', () => {
    expect(groupsOf(summary, model, user, model)).toEqual([])
    expect(groupsOf(user, model, summary, ...steps(1), user)).toEqual([[3, 4]])
  })

  it('are calls and what stands before them, also where that answers nothing', () => {
    expect(groupsOf(user, model, orphan, ...steps(1), user)).toEqual([[2, 3, 4]])
    expect(groupsOf(user, model, blank, ...steps(1), user)).toEqual([[2, 3, 4]])
  })
})

/** Turns of a question, some steps of calls and sometimes an answer; now and then something broken. */
function conversation(random: SeededRandom, isBroken: boolean): JsonObject[] {
  const contents: JsonObject[] = []
  for (let turn = random.below(8); turn >= 0; turn -= 1) {
    contents.push(random.chance(0.1) ? blank : user)
    if (random.chance(0.2)) contents.push(user)
    const count = random.chance(0.15) ? 8 + random.below(3) : random.below(4)
    for (let step = 0; step < count; step += 1) {
      contents.push(calling)
      if (isBroken && random.chance(0.1)) contents.push(random.pick([orphan, model, user]))
      if (isBroken && random.chance(0.1)) continue
      contents.push(
        random.chance(0.1) ? { role: 'user', parts: [response, { text: 'go on' }] } : answering,
      )
    }
    if (isBroken && random.chance(0.1)) contents.push(random.pick([orphan, blank]))
    if (turn > 0 || random.chance(0.3)) contents.push(model)
    if (random.chance(0.2) && turn > 0) contents.push(model)
  }
  return isBroken && random.chance(0.3) ? contents.slice(1 + random.below(3)) : contents
}

/** Violations that a drop of some of the groups that may go adds to those that were there. */
function addedByDrop(contents: JsonObject[], random: SeededRandom): string[] {
  const transcript = read(gemini, { contents })
  const groups = closeLinks(transcript)
  const protection = protect({ transcript, groups, protectRecent: 0, pins: new Set() })
  const share = random.next()
  const dropped = [...groups.members.values()]
    .filter((members) => members.every((index) => protection.level(index) === 'free'))
    .filter(() => random.chance(share))
    .flat()
  const count = (payload: JsonObject): Map<string, number> => {
    const counts = new Map<string, number>()
    for (const { rule } of gemini.check(payload)) counts.set(rule, (counts.get(rule) ?? 0) + 1)
    return counts
  }
  const before = count({ contents })
  const after = count(gemini.write({ contents }, plan({ dropped })))
  return [...after]
    .filter(([rule, number]) => number > (before.get(rule) ?? 0))
    .map(([rule]) => rule)
}

describe('a drop of what gemini lets go', () => {
  it.each([
    ['a valid conversation', false],
    ['a conversation with faults', true],
  ])('adds no violation to %s', (_, isBroken) => {
    const random = createSeededRandom(isBroken ? 11 : 7)
    for (let round = 0; round < 1_500; round += 1) {
      const contents = conversation(random, isBroken)
      if (!isBroken) expect(gemini.check({ contents })).toEqual([])
      const added = addedByDrop(contents, random)
      const shape = contents.map((content) => JSON.stringify(content.parts).slice(2, 25))
      expect(added, shape.join('\n')).toEqual([])
    }
  })
})
