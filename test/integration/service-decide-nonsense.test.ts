/** P6 over HTTP: nothing but a probability in [0, 1] is an answer, however it is spelt. */
import { afterEach, describe, expect, test } from 'vitest'
import { DECIDE_WIRES, decideVariables, type RemoteWire, WIRES } from '../helpers/decide-wires.ts'
import { type ProxiedAnswer, startRewritingProxy } from '../helpers/rewriting-proxy.ts'
import { sampleConversation } from '../helpers/sample-conversation.ts'
import { type CompactAnswer, expectFitting, expectPositional } from '../helpers/service-answers.ts'
import { type RunningService, startService } from '../helpers/start-service.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A confident no; nothing else in an answer is written like it. */
const PROBABILITY = 0.01234
const PROBABILITIES = new RegExp(String(PROBABILITY), 'g')

/** Not one of these may count as the confident no that the server meant. */
const INSIDE_JSON = [
  'null',
  'true',
  'false',
  '""',
  '"NaN"',
  '"0.01"',
  '"-Infinity"',
  '[]',
  '[0.01]',
  '{}',
  '{"value":0.01}',
  '1e999',
  '-1e999',
  '1.0000001',
  '-0.0000001',
]
const OUTSIDE_JSON = ['NaN', '-NaN', 'nan', 'Infinity', '-Infinity', 'undefined', '.01', '0x0', '']

interface Asked {
  readonly service: RunningService
  readonly answer: CompactAnswer
  readonly sample: ReturnType<typeof sampleConversation>
}

/** Every question gets the confident no; `rewrite` changes the body on its way. */
async function compactThrough(
  wire: RemoteWire,
  rewrite: (answer: ProxiedAnswer) => ProxiedAnswer,
): Promise<Asked> {
  const { format, start } = WIRES[wire]
  const server = await start(() => PROBABILITY)
  const proxy = await startRewritingProxy(server.origin, rewrite)
  const url = server.url.replace(server.origin, proxy.origin)
  const service = await startService(decideVariables(wire, url, 5_000))
  closing.push(server.close, proxy.close, service.close)
  const sample = sampleConversation(format)
  const body = { ...sample.request, targetTokens: 2_000 }
  return { service, sample, answer: await service.ask<CompactAnswer>('/compact', body) }
}

const spell =
  (spelling: string) =>
  ({ contentType, text }: ProxiedAnswer): ProxiedAnswer => {
    expect(text).toMatch(PROBABILITIES)
    return { contentType, text: text.replaceAll(PROBABILITIES, spelling) }
  }

async function expectNothingJudged({ service, sample, answer }: Asked): Promise<void> {
  expectFitting(sample.request, answer)
  expectPositional(answer)
  expect(answer.relevance).toMatchObject({ answered: 0, flagged: 0, dropped: 0 })
  const metrics = await service.metrics()
  expect(metrics.sum('precis_messages_dropped_total', { stage: 'relevance' })).toBe(0)
  expect(metrics.sum('precis_confidence_count', { question: 'relevance' })).toBe(0)
}

describe.each(DECIDE_WIRES)('with a %s server', (wire) => {
  test('whose answers arrive as they were meant, half of the messages go', async () => {
    const { sample, answer } = await compactThrough(wire, (passed) => passed)
    expectFitting(sample.request, answer)
    const asked = sample.eligible.length
    const dropped = Math.floor(asked / 2)
    expect(answer.relevance).toMatchObject({ asked, answered: asked, dropped, capHit: true })
  })

  test.each(INSIDE_JSON)(
    'that says %s for every probability, everything stays',
    async (spelling) => {
      await expectNothingJudged(await compactThrough(wire, spell(spelling)))
    },
  )

  test.each(OUTSIDE_JSON)(
    'that writes %j for every probability, the call fails open',
    async (spelling) => {
      const asked = await compactThrough(wire, spell(spelling))
      await expectNothingJudged(asked)
      expect(asked.answer.relevance).toMatchObject({ failOpen: 'malformed-answer' })
      const metrics = await asked.service.metrics()
      const failOpen = { site: 'relevance', reason: 'malformed-answer' }
      expect(metrics.sum('precis_fail_open_total', failOpen)).toBe(1)
    },
  )

  test.each([
    ['answers to other questions', (id: string) => `x${id}`],
    ['answers to questions of the prototype', () => '__proto__'],
  ])('that gives %s, everything stays', async (_, rename) => {
    await expectNothingJudged(
      await compactThrough(wire, ({ contentType, text }) => ({
        contentType,
        text: text.replaceAll(/msg__\d+/g, rename),
      })),
    )
  })

  test('that calls its JSON a web page is believed: the bytes are what counts', async () => {
    const { answer } = await compactThrough(wire, ({ text }) => ({
      contentType: 'text/html; charset=latin1',
      text,
    }))
    expect(answer.relevance?.answered).toBe(answer.relevance?.asked)
  })
})
