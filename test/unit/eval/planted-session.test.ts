import { describe, expect, test } from 'vitest'
import { createRandom } from '../../../eval/lib/random.ts'
import {
  buildPlantedSession,
  sessionMessages,
} from '../../../eval/measurements/planted/build-session.ts'
import { WORDINGS } from '../../../eval/measurements/planted/plants.ts'
import { textsOf } from '../../../eval/measurements/planted-facts.ts'
import { findFaults } from '../../helpers/wire-rules/index.ts'

const SEEDS = [1, 2, 3, 4] as const

describe('buildPlantedSession', () => {
  test('holds every planted text once, as text of a message', () => {
    for (const seed of SEEDS) {
      const { messages, plants } = buildPlantedSession(12_000, seed)
      const texts = textsOf(messages)
      for (const { text } of plants) {
        expect(texts.filter((one) => one.includes(text))).toHaveLength(1)
      }
    }
  })

  test('says each thing by the one who is said to say it', () => {
    const { messages, plants } = buildPlantedSession(12_000, 1)
    for (const { text, by } of plants) {
      const holder = messages.find(({ content }) => String(content).includes(text))
      expect(holder?.role).toBe(by)
    }
  })

  test('plants facts, constraints, corrections and an error message', () => {
    const kinds = buildPlantedSession(12_000, 1).plants.map(({ kind }) => kind)
    const count = (kind: string) => kinds.filter((one) => one === kind).length
    expect(['fact', 'constraint', 'correction', 'error message'].map(count)).toEqual([3, 2, 2, 1])
  })

  test('says what a correction replaces before the correction', () => {
    for (const seed of SEEDS) {
      const { messages, plants } = buildPlantedSession(12_000, seed)
      const placeOf = (text: string) =>
        messages.findIndex(({ content }) => String(content).includes(text))
      const corrections = plants.flatMap(({ text, superseded }) =>
        superseded === undefined ? [] : [[placeOf(superseded), placeOf(text)] as const],
      )
      expect(corrections).toHaveLength(2)
      for (const [before, after] of corrections) {
        expect(before).toBeGreaterThan(0)
        expect(before).toBeLessThan(after)
      }
    }
  })

  test('plants nothing in the opening or in the last tenth', () => {
    for (const seed of SEEDS) {
      const { messages, plants } = buildPlantedSession(12_000, seed)
      for (const { text } of plants) {
        const place = messages.findIndex(({ content }) => String(content).includes(text))
        expect(place).toBeGreaterThan(3)
        expect(place).toBeLessThan(0.9 * messages.length)
      }
    }
  })

  test('never answers a question in the question', () => {
    const { plants } = buildPlantedSession(12_000, 1)
    const isLong = (word: string) => /\d{3}/.test(word)
    for (const { text, asked } of plants) {
      for (const wording of WORDINGS) {
        const told = text.split(/[\s"]+/).filter(isLong)
        expect(told.filter((word) => asked[wording].includes(word))).toEqual([])
      }
    }
  })

  test('is about as long as asked, valid for its format, and the same every time', () => {
    for (const tokens of [12_000, 60_000]) {
      const { messages } = buildPlantedSession(tokens, 1)
      expect(JSON.stringify(messages).length / 4 / tokens).toBeCloseTo(1, 1)
      expect(findFaults('openai-chat', { messages })).toEqual([])
      expect(buildPlantedSession(tokens, 1).messages).toEqual(messages)
      expect(buildPlantedSession(tokens, 2).messages).not.toEqual(messages)
    }
  })
})

describe('sessionMessages', () => {
  test('refuses to leave out what does not fit', () => {
    const { plants } = buildPlantedSession(12_000, 1)
    expect(() => sessionMessages(200, plants, createRandom(1))).toThrow('too short')
  })
})
