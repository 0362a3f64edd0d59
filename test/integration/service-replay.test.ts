import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Recording } from '../../src/decide/replay/recording.ts'
import { type RunningService, startService } from '../helpers/start-service.ts'

interface Answer {
  readonly outcome: string
  readonly relevance: {
    readonly dropped: number
    readonly answered: number
    readonly asked: number
  }
  readonly recording?: Recording
  readonly stages: readonly { readonly durationMs: number }[]
  readonly messages: readonly unknown[]
}

/** All but what a clock measures around the stages. */
function withoutTimes({ recording: _recording, ...answer }: Answer): object {
  const stages = answer.stages.map((stage) => ({ ...stage, durationMs: 0 }))
  return { ...answer, stages, milliseconds: 0 }
}

describe('replay over HTTP', () => {
  let service: RunningService
  let body: Record<string, unknown>

  beforeAll(async () => {
    service = await startService()
    body = JSON.parse(await readFile('examples/coding-session.json', 'utf8'))
  })
  afterAll(() => service.close())

  const ask = (more: object) => service.ask<Answer>('/compact', { ...body, ...more })
  const record = async (): Promise<Answer & { recording: Recording }> => {
    const answer = await ask({ record: true })
    if (answer.recording === undefined) throw new Error('nothing was recorded')
    return { ...answer, recording: answer.recording }
  }

  it('records nothing unless it is asked to', async () => {
    expect(await ask({})).not.toHaveProperty('recording')
    expect((await record()).recording.decide?.calls).toHaveLength(1)
  })

  it('gives the run of its recording', async () => {
    const recorded = await record()
    const replayed = await ask({ replay: recorded.recording })
    expect(withoutTimes(replayed)).toEqual(withoutTimes(recorded))
    expect(replayed).not.toHaveProperty('recording')
  })

  it('decides under other thresholds, asks no model, and leaves the metrics of decisions alone', async () => {
    const recorded = await record()
    const before = await service.metrics()
    const options = { relevance: { maxDropRatio: 1, riskBudget: null, minDropConfidence: 0.2 } }
    const replayed = await ask({ replay: recorded.recording, options })
    expect(replayed.relevance.dropped).toBeGreaterThan(recorded.relevance.dropped)
    const after = await service.metrics()
    for (const name of [
      'precis_decide_requests_total',
      'precis_compactions_total',
      'precis_messages_dropped_total',
      'precis_confidence_count',
    ]) {
      expect(before.sum(name)).toBeGreaterThan(0)
      expect([name, after.sum(name)]).toEqual([name, before.sum(name)])
    }
  })

  it('keeps what the recording says nothing of: another conversation has no answers', async () => {
    const { recording } = await record()
    const [first, second, ...others] = body.messages as { content: string }[]
    const edited = [
      first,
      second,
      ...others.map((message) => ({ ...message, content: `${message.content} (edited)` })),
    ]
    const replayed = await ask({ replay: recording, messages: edited })
    expect(replayed.relevance).toMatchObject({ answered: 0, dropped: 0, failOpen: 'unanswered' })
  })

  it('does not let one caller answer for another: what is replayed is not remembered', async () => {
    const { recording } = await ask({ record: true, lowWater: 0.5 })
    if (recording?.decide == null) throw new Error('nothing was recorded')
    const calls = recording.decide.calls.map((call) => ({
      ...call,
      answers: call.answers.map((answer) => ({ ...answer, probability: 0 })),
    }))
    const forged = { ...recording, decide: { ...recording.decide, calls } }
    const honest = await ask({ lowWater: 0.5 })
    const other = await startService()
    const asked = { ...body, lowWater: 0.5 }
    await other.ask('/compact', { ...asked, replay: forged })
    const afterwards = await other.ask<Answer>('/compact', asked)
    expect(afterwards.messages).toEqual(honest.messages)
    await other.close()
  })

  it.each([
    ['an id that is too long', { id: 'x'.repeat(65), probability: 0.1 }, '/id'],
    ['a probability that is none', { id: 'msg__1', probability: 1.5 }, '/probability'],
    ['a member that is not known', { id: 'msg__1', probability: 0.1, text: 'x' }, '/text'],
    ['a name that is no hash', { id: 'msg__1', about: '../..', probability: 0.1 }, '/about'],
  ])('refuses %s, and points at it', async (_what, answer, member) => {
    const { recording } = await record()
    if (recording.decide === null) throw new Error('nothing was recorded')
    const [call] = recording.decide.calls
    const replay = {
      ...recording,
      decide: { ...recording.decide, calls: [{ ...call, answers: [answer] }] },
    }
    const { statusCode, body: text } = await service.send('/compact', {
      method: 'POST',
      body: { ...body, replay },
    })
    expect(statusCode).toBe(400)
    const { code, errors } = JSON.parse(text)
    expect(code).toBe('invalid-request')
    const pointers = errors.map(({ pointer }: { pointer: string }) => pointer)
    expect(pointers).toContain(`/replay/decide/calls/0/answers/0${member}`)
  })
})
