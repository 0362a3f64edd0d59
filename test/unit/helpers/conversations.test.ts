import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  anyConversation,
  type ConversationPayload,
  conversationOf,
  itemsOf,
  LONG,
  WIRE_FORMATS,
} from '../../helpers/arbitraries/index.ts'
import { findFaults, sameSignatures } from '../../helpers/wire-rules/index.ts'
import { OPENAI_RESPONSES_SHARES, openaiResponsesTraitsOf } from './openai-responses-traits.ts'
import { traitsOf } from './traits.ts'

const FORMATS_WITH_TRAITS = [
  'openai-chat',
  'anthropic-messages',
  'neurolink',
  'openai-responses',
] as const

type FormatWithTraits = (typeof FORMATS_WITH_TRAITS)[number]

const RUNS = { numRuns: 500, seed: 20_260_301 }

describe.each(WIRE_FORMATS)('generated %s conversations', (format) => {
  let sample: ConversationPayload[] = []
  beforeAll(() => {
    sample = fc.sample(conversationOf(format), RUNS)
  })

  it('break no rule of their format', () => {
    fc.assert(
      fc.property(conversationOf(format), (payload) => {
        expect(findFaults(format, payload)).toEqual([])
      }),
      RUNS,
    )
  })

  it('have between 1 and 60 messages, and reach both ends', () => {
    const sizes = sample.map((payload) => itemsOf(payload).length)
    expect([Math.min(...sizes), Math.max(...sizes)]).toEqual([1, 60])
  })

  it.each([1, 2, 3, 17])('have %i messages where that is asked for', (count) => {
    const exact = conversationOf(format, { minMessages: count, maxMessages: count })
    fc.assert(
      fc.property(exact, (payload) => {
        expect(itemsOf(payload)).toHaveLength(count)
      }),
      { ...RUNS, numRuns: 50 },
    )
  })

  it('are what JSON.parse would make of their text, with no object in two places', () => {
    for (const payload of sample.slice(0, 100)) {
      const text = JSON.stringify(payload)
      expect(JSON.stringify(JSON.parse(text))).toBe(text)
      const nodes = nodesOf(payload)
      expect(nodes).not.toContain(undefined)
      const objects = nodes.filter((node) => typeof node === 'object' && node !== null)
      expect(new Set(objects).size).toBe(objects.length)
    }
  })

  it('come out the same for the same seed', () => {
    const once = () => JSON.stringify(fc.sample(conversationOf(format), { numRuns: 20, seed: 5 }))
    expect(once()).toBe(once())
  })
})

// Those of Gemini and of the AI SDK have tests of their own for this.
describe.each(FORMATS_WITH_TRAITS)('generated %s conversations', (format) => {
  it('hold each trait that a compactor can stumble over often enough to be met in every run', () => {
    const shares = shareOfTraits(fc.sample(conversationOf(format), RUNS), TRAITS[format])
    const rare = Object.entries(REQUIRED_SHARES[format]).filter(
      ([trait, least]) => (shares.get(trait) ?? 0) < least,
    )
    expect(rare).toEqual([])
  })
})

describe('generated long conversations', () => {
  it('have 60 to 300 messages and break no rule', () => {
    fc.assert(
      fc.property(anyConversation(LONG), ({ format, payload }) => {
        expect(itemsOf(payload).length).toBeGreaterThanOrEqual(60)
        expect(itemsOf(payload).length).toBeLessThanOrEqual(300)
        expect(findFaults(format, payload)).toEqual([])
      }),
      { ...RUNS, numRuns: 60 },
    )
  })
})

describe('generated thinking', () => {
  it('is the same as itself, and another once a signature is cut', () => {
    fc.assert(
      fc.property(conversationOf('anthropic-messages'), (payload) => {
        expect(sameSignatures(payload, payload)).toBe(true)
        const text = JSON.stringify(payload)
        fc.pre(text.includes('"signature":"E'))
        const cut = JSON.parse(text.replace('"signature":"E', '"signature":"'))
        expect(sameSignatures(payload, cut)).toBe(false)
      }),
      { ...RUNS, numRuns: 200 },
    )
  })
})

/** Least share of conversations with a trait, some way below what was measured. */
const COMMON = {
  'tool calls': 0.6,
  'parallel calls': 0.4,
  'three rounds or more': 0.4,
  'pending tail': 0.15,
  'partly answered tail': 0.05,
  'ends with results': 0.08,
  'ends with a request': 0.2,
  parts: 0.25,
  image: 0.25,
  'unknown members': 0.5,
  'own __proto__': 0.4,
  'identical results': 0.15,
  'repeated reads': 0.15,
  'short result': 0.3,
  'error result': 0.15,
  'message over 10k': 0.04,
  'lone surrogate': 0.2,
  'control characters': 0.15,
  'CJK or emoji': 0.4,
}

const REQUIRED_SHARES: Readonly<Record<FormatWithTraits, Record<string, number>>> = {
  'openai-chat': {
    ...COMMON,
    'null content': 0.3,
    'absent content': 0.02,
    'function call': 0.1,
    'unknown part': 0.3,
    names: 0.3,
    'later system message': 0.04,
    'reused call ids': 0.08,
  },
  'anthropic-messages': {
    ...COMMON,
    thinking: 0.5,
    'redacted thinking': 0.4,
    'cache breakpoint': 0.3,
    'server tool': 0.15,
    'unknown part': 0.3,
    'system prompt': 0.5,
  },
  neurolink: {
    ...COMMON,
    'null content': 0.1,
    summary: 0.15,
    'pinned skill': 0.1,
    'truncation marker': 0.1,
    'calls without id': 0.3,
    'calls with id': 0.3,
  },
  'openai-responses': OPENAI_RESPONSES_SHARES,
}

type ReadTraits = (payload: ConversationPayload) => Set<string>

/** A format whose conversation is no list of messages with roles has traits of its own. */
const TRAITS: Readonly<Record<FormatWithTraits, ReadTraits>> = {
  'openai-chat': traitsOf,
  'anthropic-messages': traitsOf,
  neurolink: traitsOf,
  'openai-responses': openaiResponsesTraitsOf,
}

function shareOfTraits(
  payloads: readonly ConversationPayload[],
  read: ReadTraits,
): Map<string, number> {
  const shares = new Map<string, number>()
  for (const trait of payloads.flatMap((payload) => [...read(payload)])) {
    shares.set(trait, (shares.get(trait) ?? 0) + 1 / payloads.length)
  }
  return shares
}

function nodesOf(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [value]
  return [value, ...Object.values(value).flatMap(nodesOf)]
}
