import { afterEach, describe, expect, it } from 'vitest'
import { createRemoteDecider } from '../../../src/decide/decider.ts'
import { systemOneWire } from '../../../src/decide/wires/systemone.ts'
import type { Answer } from '../../../src/engine/ports.ts'
import type { Fault } from '../../helpers/decide-servers/fault.ts'
import {
  createSystemOneServer,
  SYSTEM_ONE_KEY,
} from '../../helpers/decide-servers/system-one-server.ts'
import { fakeDecide } from '../../helpers/fake-ports.ts'
import {
  chat,
  compactWith,
  conversation,
  countTokens,
  goneIds,
  judge,
  only,
  sizeOf,
  stageOf,
  user,
} from './support.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** Messages 1 to 6 are eligible, and the six after them are recent. */
const MESSAGES = conversation(user('The task.'), ...chat(12))
const TARGET = (await sizeOf(MESSAGES)) - 1

/** What goes when the model says this of message 1 and needs all others. */
async function goneFor(answer: number | Answer | null, minDropConfidence?: number) {
  const relevance = minDropConfidence === undefined ? {} : { minDropConfidence }
  const result = await compactWith(
    {
      messages: MESSAGES,
      targetTokens: TARGET,
      options: { ...only('relevance'), relevance },
    },
    { decide: judge(1, { 1: answer }) },
  )
  return goneIds(MESSAGES, result)
}

describe('seed 0: the question about each message', () => {
  it('is a plain yes or no, by the rule of what makes a message needed', async () => {
    const decide = judge(1)
    await compactWith({ messages: MESSAGES, targetTokens: TARGET }, { decide })
    const [request] = decide.requests
    expect(request?.questions.map(({ kind }) => kind)).toEqual(Array(6).fill('boolean'))
    const { rule, current_request: currentRequest } = request?.state.fields ?? {}
    expect(currentRequest).toBe(MESSAGES[11]?.content)
    for (const needed of [
      /requirement/,
      /decision/,
      /constraint/,
      /correction/,
      /name/,
      /number/,
      /preference/,
    ]) {
      expect(rule).toMatch(needed)
    }
    for (const notNeeded of [/something else/, /small talk/, /acknowledgement/, /superseded/]) {
      expect(rule).toMatch(notNeeded)
    }
  })

  it('is asked with the whole text of the message it is about', async () => {
    const decide = judge(1)
    await compactWith({ messages: MESSAGES, targetTokens: TARGET }, { decide })
    const [request] = decide.requests
    for (const question of request?.questions ?? []) {
      const document = request?.state.documents.find(({ id }) => id === question.id)
      expect(question).toMatchObject({ about: question.id })
      expect(document?.text).toBe(MESSAGES[Number(question.id.slice(5))]?.content)
    }
  })
})

describe('seed 0: a message is dropped on a confident no alone', () => {
  it.each([
    [0, 'a certain no'],
    [0.1, 'a confident no'],
    [0.2, 'a no of confidence 0.6, the bar itself'],
  ])('P(needed) = %d: %s drops it', async (probability) => {
    expect(await goneFor(probability)).toEqual(['m1'])
  })

  it.each([
    [0.2000001, 'a no just under the bar'],
    [0.35, 'a leaning no'],
    [0.49, 'near a coin flip'],
    [0.5, 'a coin flip'],
    [0.51, 'near a coin flip'],
    [0.8, 'a confident yes'],
    [1, 'a certain yes'],
  ])('P(needed) = %d: %s keeps it', async (probability) => {
    expect(await goneFor(probability)).toEqual([])
  })

  it.each<[string, number | Answer | null]>([
    ['no answer', null],
    ['an answer of another kind', { kind: 'choice', choice: 'no', confidence: 1 }],
    ['a score', { kind: 'score', score: 0, confidence: 1 }],
    ['not a number', Number.NaN],
    ['less than 0', -0.1],
    ['more than 1', 1.1],
    ['minus infinity', Number.NEGATIVE_INFINITY],
  ])('%s keeps it', async (_, answer) => {
    expect(await goneFor(answer)).toEqual([])
  })

  it('follows the bar that the caller sets', async () => {
    expect(await goneFor(0.1, 0.9)).toEqual([])
    expect(await goneFor(0.05, 0.9)).toEqual(['m1'])
    expect(await goneFor(0.4, 0.1)).toEqual(['m1'])
    expect(await goneFor(0.5, 0)).toEqual([])
  })
})

describe('seed 0: a decide call that fails as a whole drops nothing', () => {
  it.each<[string, Parameters<typeof fakeDecide>[0]]>([
    ['throws', { relevance: () => Promise.reject(new Error('down')) }],
    ['answers nothing', { relevance: {} }],
    ['says that it failed', { relevance: () => ({ failure: 'overloaded' }) }],
    ['resolves to no result', { relevance: () => ({ answers: undefined as never }) }],
  ])('when the model %s', async (_, scripts) => {
    const result = await compactWith(
      { messages: MESSAGES, targetTokens: TARGET, options: only('relevance') },
      { decide: fakeDecide(scripts) },
    )
    expect(result.messages).toBe(MESSAGES)
    expect(stageOf(result, 'relevance').status).toMatch(/^(failed|no-change)$/)
  })

  it.each<Fault>([
    'nan',
    'null',
    'string',
    'above-one',
    'below-zero',
    'missing-ids',
    'wrong-types',
  ])(
    'and a server that answers one question with "%s" drops all flagged but that one',
    async (fault) => {
      const server = await createSystemOneServer({ answer: () => 0.01 })
      closers.push(server.close)
      server.setFault(fault)
      const decide = createRemoteDecider({
        wire: systemOneWire,
        url: server.url,
        apiKey: SYSTEM_ONE_KEY,
        model: 'jev-latest',
        countTokens,
        random: () => 0,
      })
      closers.push(decide.close)
      const result = await compactWith(
        {
          messages: MESSAGES,
          targetTokens: TARGET,
          options: { ...only('relevance'), relevance: { maxDropRatio: 1 } },
        },
        { decide },
      )
      // A server that says NaN sends what is no JSON at all, so there is no answer to any question.
      const flagged = fault === 'nan' ? [] : ['m2', 'm3', 'm4', 'm5', 'm6']
      expect(goneIds(MESSAGES, result)).toEqual(flagged)
    },
  )
})
