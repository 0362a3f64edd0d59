import { expect } from 'vitest'
import { compactConversation } from '../../../src/conversation/compact-conversation.ts'
import { PrecisError } from '../../../src/engine/errors.ts'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import type { FormatId } from '../../../src/formats/adapter.ts'
import { FORMATS } from '../../../src/formats/index.ts'
import { compactWith, only, servicesWith } from '../seeds/support.ts'

const never = new AbortController().signal

/** Rules that the conversation breaks, each as often as it does. */
export function brokenRules(format: FormatId, messages: readonly unknown[]): string[] {
  return FORMATS[format]
    .check({ messages: messages as JsonObject[] })
    .map(({ rule }) => rule)
    .sort()
}

/**
 * A conversation that breaks exactly these rules is taken as it is: with room enough it comes back
 * the very same, its faults listed; made smaller, it has no fault that it did not have, and every
 * message is the posted one, is reported, or is a marker.
 */
export async function expectNeverWorse(
  format: FormatId,
  messages: readonly JsonObject[],
  rules: readonly string[],
): Promise<void> {
  const posted = structuredClone(messages)
  expect(brokenRules(format, messages)).toEqual([...rules].sort())

  const roomy = await compactWith({ format, messages, targetTokens: 1e9 })
  expect(roomy.messages).toBe(messages)
  expect(roomy.violations.map(({ rule }) => rule).sort()).toEqual([...rules].sort())

  const { tokensBefore, floor } = roomy.report
  const targetTokens = Math.ceil(floor.tokens + (tokensBefore - floor.tokens) / 3)
  const tight = await compactWith({ format, messages, targetTokens, options: only('truncate') })
  const left = brokenRules(format, tight.messages)
  for (const rule of new Set(left)) {
    const count = (list: readonly string[]) => list.filter((name) => name === rule).length
    expect(count(left), rule).toBeLessThanOrEqual(count(rules))
  }
  const { actions } = tight.report
  const told = (action: string) => actions.filter((one) => one.action === action)
  const known = new Set<unknown>(messages)
  expect(tight.messages.filter((message) => !known.has(message))).toHaveLength(
    told('rewritten').length + told('inserted').length,
  )
  const reported = new Set([...told('dropped'), ...told('rewritten')].map(({ index }) => index))
  const kept = new Set<unknown>(tight.messages)
  for (const [index, message] of messages.entries()) {
    if (!kept.has(message)) expect(reported, `message ${index}`).toContain(index)
  }
  expect(messages).toEqual(posted)
}

/** The code of the problem with which a conversation is refused; its format is detected if not named. */
export async function refusalOf(messages: readonly unknown[], format?: FormatId): Promise<string> {
  const request = { messages: messages as JsonObject[], targetTokens: 1 }
  try {
    await compactConversation(
      { ...request, ...(format !== undefined && { format }) },
      servicesWith(),
      {
        signal: never,
        modelSignal: never,
      },
    )
  } catch (error) {
    if (error instanceof PrecisError) return error.code
    throw error
  }
  throw new Error('the conversation was taken')
}

export function nested(levels: number): JsonObject {
  let value: JsonObject = { deepest: true }
  for (let level = 1; level < levels; level += 1) value = { inside: value }
  return value
}
