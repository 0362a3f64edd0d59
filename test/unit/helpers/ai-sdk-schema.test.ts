import { modelMessageSchema } from 'ai'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeAiSdk } from '../../helpers/arbitraries/ai-sdk.ts'
import { breakAiSdk } from '../../helpers/arbitraries/broken-ai-sdk.ts'
import { scenario } from '../../helpers/arbitraries/scenario.ts'
import type { JsonObject } from '../../helpers/arbitraries/types.ts'

/** Version 6: later ones do not run on the oldest Node that the service supports. */
const takes = (message: unknown) => modelMessageSchema.safeParse(message).success

const RUNS = { numRuns: 150, seed: 20_261_130 }

/** What the generator writes beyond version 6: parts of version 7, and parts that no version knows. */
const isBeyond = ({ type, data }: JsonObject) =>
  ['x_widget', 'x_note', 'custom', 'reasoning-file'].includes(String(type)) ||
  (typeof data === 'object' && data !== null)

const without = (message: JsonObject, isUnwanted: (part: JsonObject) => boolean) =>
  Array.isArray(message.content)
    ? { ...message, content: message.content.filter((part: JsonObject) => !isUnwanted(part)) }
    : message

describe("the AI SDK's own schema", () => {
  it('takes every generated message, but for the parts that are beyond its version', () => {
    const beyond = new Set<string>()
    fc.assert(
      fc.property(scenario().map(writeAiSdk), ({ messages = [] }) => {
        for (const message of messages) {
          expect(takes(without(message, isBeyond))).toBe(true)
          if (takes(message)) continue
          for (const { type } of message.content as JsonObject[]) beyond.add(String(type))
        }
      }),
      RUNS,
    )
    expect([...beyond]).toEqual(expect.arrayContaining(['custom', 'reasoning-file', 'x_note']))
  })

  it('refuses what breaks the shape of a message, and leaves the rest to the rules', () => {
    const verdicts = new Map<string, Set<boolean>>()
    fc.assert(
      fc.property(scenario({ maxMessages: 20 }).map(writeAiSdk), ({ messages = [] }) => {
        const cleaned = messages.map((message) => without(message, isBeyond))
        for (const { name, write } of breakAiSdk(cleaned)) {
          const seen = verdicts.get(name) ?? new Set()
          verdicts.set(name, seen.add(write().every(takes)))
        }
      }),
      { ...RUNS, numRuns: 40 },
    )
    const refused = [...verdicts].filter(([, seen]) => !seen.has(true)).map(([name]) => name)
    expect(refused.sort()).toEqual([
      'content-shape',
      'known-role',
      'part-role',
      'result-output',
      'structure',
    ])
    const taken = [...verdicts].filter(([, seen]) => !seen.has(false))
    expect(taken.length + refused.length).toBe(verdicts.size)
  })
})
