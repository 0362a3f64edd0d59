import { describe, expect, it } from 'vitest'
import { askGate } from '../../../../src/engine/summary/gate.ts'
import { fakeDecide, fakePorts, toAnswers } from '../../../helpers/fake-ports.ts'
import { buildTranscript, exchange, user } from '../../../helpers/transcript-builder.ts'

const { entries } = buildTranscript([
  user('use Node 20', { speaker: 'ops' }),
  ...exchange('c1', 'out'),
])

type Script = NonNullable<Parameters<typeof fakeDecide>[0]['summary-gate']>

const gateWith = (script: Script) =>
  askGate('gist', entries, 0.6, fakePorts({ decide: fakeDecide({ 'summary-gate': script }) }))

describe('askGate', () => {
  it('asks two questions about the summary, with every replaced message whole', async () => {
    const decide = fakeDecide({ 'summary-gate': { preserves: 0.9, is_refusal: 0.1 } })
    const report = await askGate('gist', entries, 0.6, fakePorts({ decide }))
    expect(report).toMatchObject({ accepted: true, preserves: { probability: 0.9 } })
    expect(report).not.toHaveProperty('failOpen')
    const [request] = decide.requests
    expect(request?.site).toBe('summary-gate')
    expect(request?.state.fields).toEqual({ summary: 'gist' })
    expect(request?.state.documents).toEqual([
      { id: 'original__0', role: 'user', text: 'use Node 20', speaker: 'ops' },
      { id: 'original__1', role: 'assistant', text: '{}' },
      { id: 'original__2', role: 'tool', text: 'out' },
    ])
  })

  it('rejects on a confident no to what it preserves', async () => {
    expect((await gateWith({ preserves: 0.1, is_refusal: 0.1 })).accepted).toBe(false)
  })

  it('accepts without a decide model, or with one that does not judge summaries', async () => {
    expect(await askGate('gist', entries, 0.6, fakePorts())).toEqual({
      accepted: true,
      failOpen: 'no-decide-model',
    })
    const decide = fakeDecide({ relevance: {} })
    expect(await askGate('gist', entries, 0.6, fakePorts({ decide }))).toEqual({
      accepted: true,
      failOpen: 'no-decide-model',
    })
    expect(decide.requests).toHaveLength(0)
  })

  it.each([
    ['throws', 'error', () => Promise.reject(new Error('bug'))],
    ['times out', 'timeout', () => ({ failure: 'timeout' as const })],
    ['answers nonsense', 'malformed-answer', () => ({ answers: [] as never })],
  ])('accepts when the model %s, and says why', async (_, failOpen, script) => {
    expect(await gateWith(script)).toMatchObject({ accepted: true, failOpen })
  })

  it('rejects on what was answered although the call failed in part', async () => {
    const report = await gateWith(() => ({
      answers: toAnswers({ is_refusal: 0.99 }),
      failure: 'timeout',
    }))
    expect(report.accepted).toBe(false)
    expect(report).not.toHaveProperty('failOpen')
  })

  it('shows every message also of a long part, in a bounded number of documents', async () => {
    const specs = Array.from({ length: 700 }, (_, index) =>
      user(`word${index}`, { speaker: 'ops' }),
    )
    const decide = fakeDecide({ 'summary-gate': { preserves: 0.9 } })
    await askGate('gist', buildTranscript(specs).entries, 0.6, fakePorts({ decide }))
    const documents = decide.requests[0]?.state.documents ?? []
    expect(documents.length).toBeLessThanOrEqual(300)
    expect(new Set(documents.map(({ id }) => id)).size).toBe(documents.length)
    const words = documents
      .map(({ text }) => text)
      .join('\n')
      .match(/word\d+/g)
    expect(words).toEqual(specs.map((_, index) => `word${index}`))
  })
})
