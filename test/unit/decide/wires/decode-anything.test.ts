/** P6 at the door of every wire: whatever a body holds, what comes out is an answer or nothing. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { REMOTE_WIRES, type RemoteWire } from '../../../../src/decide/wire-names.ts'
import { WIRE_TABLE } from '../../../../src/decide/wire-table.ts'
import { questionAbout } from '../../../helpers/decide-servers/relevance-request.ts'

const alternative = (token: string, probability: number) => ({
  token,
  logprob: Math.log(probability),
})

/** A good body of each wire. A chat server is asked one question, the others two. */
const GOOD: Readonly<Record<RemoteWire, object>> = {
  systemone: { answers: { m0: { type: 'noul', noul: 0.1 }, m1: { type: 'noul', noul: 0.9 } } },
  openrouter: { answers: { m0: { type: 'noul', noul: 0.1 }, m1: { type: 'noul', noul: 0.9 } } },
  vercel: {
    answers: {
      m0: { type: 'boolean', probability: 0.1 },
      m1: { type: 'boolean', probability: 0.9 },
    },
  },
  'openai-decisions': {
    answers: [
      { type: 'predicate', name: 'm0', probability: 0.1 },
      { type: 'predicate', name: 'm1', probability: 0.9 },
    ],
  },
  rerank: {
    results: [
      { index: 1, relevance_score: 2.2 },
      { index: 0, relevance_score: -2.2 },
    ],
  },
  'generative-scoring': {
    data: [
      { index: 0, score: 0.1 },
      { index: 1, score: 0.9 },
    ],
  },
  'chat-logprobs': {
    choices: [
      {
        message: { content: 'No', refusal: null },
        logprobs: {
          content: [
            {
              ...alternative('No', 0.8),
              top_logprobs: [alternative('No', 0.8), alternative('Yes', 0.1)],
            },
          ],
        },
      },
    ],
  },
}

type Path = readonly (string | number)[]

function pathsOf(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, one]) => pathsOf(one, [...path, key]))]
}

function replaceAt(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by
  if (typeof value !== 'object' || value === null) return value
  const copy = Array.isArray(value) ? [...value] : { ...value }
  Reflect.set(copy, key, replaceAt(Reflect.get(value, key), rest, by))
  return copy
}

const leaf = fc.oneof(
  fc.double(),
  fc.constantFrom(-0.1, 1.1, 5, -5, null, true, '0.01', 'm0', 'm1', 'No', 'Yes', '', undefined),
)
const anything = fc.oneof(leaf, fc.jsonValue(), fc.array(leaf, { maxLength: 3 }))

/** The good body with one to three of its members, or all of it, replaced by anything. */
const spoiled = (good: object) =>
  fc
    .array(fc.tuple(fc.constantFrom(...pathsOf(good)), anything), { minLength: 1, maxLength: 3 })
    .map((changes) =>
      changes.reduce<unknown>((body, [path, by]) => replaceAt(body, path, by), good),
    )

describe.each(REMOTE_WIRES)('the wire %s', (name) => {
  const wire = WIRE_TABLE[name].create({ dialect: 'llama-cpp', labelTokenIds: { yes: 1, no: 0 } })
  const questions = ['m0', 'm1'].slice(0, wire.limits.maxQuestionsPerRequest).map(questionAbout)

  test('reads every answer of a good body', () => {
    expect(wire.decode(GOOD[name], questions)?.answers.size).toBe(questions.length)
  })

  test('reads a probability or no answer out of a spoiled one, and never throws', () => {
    fc.assert(
      fc.property(spoiled(GOOD[name]), (json) => {
        for (const [id, answer] of wire.decode(json, questions)?.answers ?? []) {
          expect(['m0', 'm1']).toContain(id)
          expect(answer).toEqual({ kind: 'boolean', probability: expect.any(Number) })
          const { probability } = answer as { probability: number }
          expect(probability >= 0 && probability <= 1).toBe(true)
        }
      }),
      { numRuns: 1_000, seed: 20_261_130 },
    )
  })

  test('tells a failure from any error body, and never throws', () => {
    const envelope = { error: { code: 400, type: 'x', param: null }, detail: {}, error_type: 'x' }
    fc.assert(
      fc.property(fc.integer({ min: 300, max: 599 }), spoiled(envelope), (status, json) => {
        expect(wire.classifyError(status, json)).toMatch(/^[a-z-]+$/)
      }),
      { seed: 20_261_130 },
    )
  })
})
