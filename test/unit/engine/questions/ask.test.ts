import { describe, expect, it } from 'vitest'
import { ask } from '../../../../src/engine/questions/ask.ts'
import { fakeDecide, fakePorts, toAnswers } from '../../../helpers/fake-ports.ts'

const REQUEST = {
  site: 'relevance',
  questions: [],
  state: { fields: {}, recent: [], documents: [] },
} as const

describe('ask', () => {
  it('hands over the request with the signal of the models’ deadline', async () => {
    const decide = fakeDecide({ relevance: { a: 0.3 } })
    const ports = fakePorts()
    const result = await ask(decide, REQUEST, ports)
    expect(result.answers).toEqual(toAnswers({ a: 0.3 }))
    expect(result.failure).toBeUndefined()
    expect(decide.requests[0]).toMatchObject(REQUEST)
    expect(decide.requests[0]?.signal).toBe(ports.modelSignal)
  })

  it('asks nobody once the deadline has passed', async () => {
    const decide = fakeDecide({ relevance: { a: 0 } })
    const result = await ask(decide, REQUEST, fakePorts({ modelSignal: AbortSignal.abort() }))
    expect(result).toMatchObject({
      failure: 'deadline',
      wire: 'fake',
      model: 'fake-1',
      requests: 0,
    })
    expect(decide.requests).toHaveLength(0)
  })

  it('turns a throw into a failure', async () => {
    const decide = fakeDecide({
      relevance: () => {
        throw new TypeError('bug')
      },
    })
    const result = await ask(decide, REQUEST, fakePorts())
    expect(result.failure).toBe('error')
    expect(result.answers.size).toBe(0)
  })

  it('says deadline of a throw after the deadline', async () => {
    const controller = new AbortController()
    const decide = fakeDecide({
      relevance: () => {
        controller.abort()
        throw new Error('aborted')
      },
    })
    const result = await ask(decide, REQUEST, fakePorts({ modelSignal: controller.signal }))
    expect(result.failure).toBe('deadline')
  })

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['no answers', {}],
    ['answers in a plain object', { answers: { a: { kind: 'boolean', probability: 0 } } }],
    ['answers in a list', { answers: [] }],
  ])('takes %s for a malformed answer', async (_, result) => {
    const decide = { ...fakeDecide({}), decide: async () => result as never }
    expect(await ask(decide, REQUEST, fakePorts())).toMatchObject({ failure: 'malformed-answer' })
  })

  it('keeps the answers of a call that failed in part', async () => {
    const decide = fakeDecide({
      relevance: () => ({ answers: toAnswers({ a: 0.1 }), failure: 'timeout' }),
    })
    const result = await ask(decide, REQUEST, fakePorts())
    expect(result).toMatchObject({ failure: 'timeout', answers: toAnswers({ a: 0.1 }) })
  })
})
