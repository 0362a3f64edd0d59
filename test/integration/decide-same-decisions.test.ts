/**
 * A wire only translates: a conversation whose messages are judged alike comes back alike, whichever
 * wire the judgement came over.
 */
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Fault } from '../helpers/decide-servers/fault.ts'
import {
  type ScriptedNeeds,
  WIRE_CASES,
  type WireCase,
} from '../helpers/decide-servers/wire-cases.ts'
import { sampleConversation } from '../helpers/sample-conversation.ts'
import type { CompactAnswer } from '../helpers/service-answers.ts'
import { startService } from '../helpers/start-service.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const sample = sampleConversation('openai-chat')
/** Two decimals, as servers round to, and none of them twice. The oldest under the bar is not the least. */
const NEEDED = new Map(
  sample.eligible.map((index, place) => [index, ((place * 37 + 16) % 97) / 100]),
)
const NEEDS: ScriptedNeeds = {
  ofId: (id) => NEEDED.get(Number(/^msg__(\d+)$/.exec(id)?.[1])) ?? 0.5,
  ofText: (text) => {
    const index = sample.request.messages.findIndex(({ content }) =>
      String(content).startsWith(text.slice(0, 60)),
    )
    return NEEDED.get(index) ?? 0.5
  },
}

/** The order is named, since the wires differ in their defaults: a reranker's is its ranking. */
const OPTIONS = {
  'everything flagged': { relevance: { maxDropRatio: 1, order: 'oldest-first' } },
  'the oldest of many': { relevance: { maxDropRatio: 0.1, order: 'oldest-first' } },
  'the least needed of many': { relevance: { maxDropRatio: 0.1, order: 'least-needed-first' } },
  'no more than a budget of risk': {
    relevance: { maxDropRatio: 1, order: 'least-needed-first', riskBudget: 0.2 },
  },
} as const

async function compactOver(
  { start, variables }: WireCase,
  fault?: Fault,
): Promise<readonly CompactAnswer[]> {
  const server = await start(NEEDS)
  server.setFault(fault)
  const service = await startService({ ...variables, PRECIS_DECIDE_URL: server.url })
  closing.push(server.close, service.close)
  const answers: CompactAnswer[] = []
  for (const options of Object.values(OPTIONS)) {
    const body = { ...sample.request, targetTokens: 1_600, options }
    answers.push(await service.ask<CompactAnswer>('/compact', body))
  }
  return answers
}

/** The same body with members that nobody knows in every object: servers add their own. */
function sayMore(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(sayMore)
  if (typeof json !== 'object' || json === null) return json
  const members = Object.entries(json).map(([name, value]) => [name, sayMore(value)])
  return { ...Object.fromEntries(members), latency_ms: 7.5, diagnostics: { label_mass: 0.01 } }
}

/** What was decided, without the digits that a sigmoid rounds and the stages' times. */
const decisionsOf = ({ messages, relevance, actions, fits, tokensAfter }: CompactAnswer) => ({
  messages,
  fits,
  tokensAfter,
  relevance: relevance && {
    asked: relevance.asked,
    answered: relevance.answered,
    flagged: relevance.flagged,
    dropped: relevance.dropped,
    capHit: relevance.capHit,
    order: relevance.order,
    expectedNeededLost: relevance.expectedNeededLost.toFixed(6),
  },
  actions: actions.map(({ stage, reason, index, probability }) => ({
    stage,
    reason,
    index,
    probability: probability?.toFixed(6),
  })),
})

describe('the same probabilities', () => {
  const [[, first]] = WIRE_CASES as [[string, WireCase]]
  let expected: readonly ReturnType<typeof decisionsOf>[]
  beforeAll(async () => {
    expected = (await compactOver(first)).map(decisionsOf)
  })

  test('drop different messages under different options', () => {
    const dropped = expected.map(({ relevance }) => relevance?.dropped)
    const flagged = [...NEEDED.values()].filter((probability) => probability <= 0.2).length
    expect(flagged).toBeGreaterThan(3)
    expect(dropped[0]).toBe(flagged)
    expect(dropped[1]).toBe(Math.floor(NEEDED.size * 0.1))
    const relevanceOf = (place: number) =>
      expected[place]?.actions.filter(({ stage }) => stage === 'relevance')
    expect(relevanceOf(2)).not.toEqual(relevanceOf(1))
    expect(new Set(expected.map(({ messages }) => JSON.stringify(messages))).size).toBeGreaterThan(
      2,
    )
  })

  test.each(WIRE_CASES)('over %s come to the same decisions', async (_, wire) => {
    const answers = await compactOver(wire)
    for (const { relevance } of answers) {
      expect(relevance).toMatchObject({ answered: sample.eligible.length, notAsked: 0 })
      expect(relevance).not.toHaveProperty('failOpen')
    }
    expect(answers.map(decisionsOf)).toEqual(expected)
  })

  test.each(WIRE_CASES)('over %s come to them whatever else the server says', async (_, wire) => {
    const answers = await compactOver(wire, { rewrite: sayMore })
    expect(answers.map(decisionsOf)).toEqual(expected)
  })
})
