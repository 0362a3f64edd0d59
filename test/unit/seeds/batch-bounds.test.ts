import { afterEach, describe, expect, it } from 'vitest'
import { createRemoteDecider } from '../../../src/decide/decider.ts'
import { systemOneWire } from '../../../src/decide/wires/systemone.ts'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import type { DecideServer } from '../../helpers/decide-servers/decide-server.ts'
import {
  createSystemOneServer,
  SYSTEM_ONE_KEY,
  type SystemOneServerOptions,
} from '../../helpers/decide-servers/system-one-server.ts'
import {
  askedMessages,
  chat,
  compactWith,
  conversation,
  countTokens,
  goneIds,
  judge,
  only,
  prose,
  sizeOf,
  user,
} from './support.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function systemOne(options: SystemOneServerOptions) {
  const server = await createSystemOneServer(options)
  const decide = createRemoteDecider({
    wire: systemOneWire,
    url: server.url,
    apiKey: SYSTEM_ONE_KEY,
    model: 'jev-latest',
    countTokens,
    random: () => 0,
  })
  closers.push(server.close, decide.close)
  return { server, decide }
}

interface Sent {
  readonly questions: Readonly<Record<string, unknown>>
  readonly state: { readonly messages: Readonly<Record<string, { readonly text: string }>> }
}

function sentTo(server: DecideServer): Sent[] {
  return server.requests.map(({ json }) => json as Sent)
}

describe('seed 0: at most 300 messages are asked about', () => {
  it('in one pass, however many are eligible; the newest of them are kept unasked', async () => {
    const messages = conversation(user('The task.'), ...chat(406, 6))
    const decide = judge(0.01)
    const result = await compactWith(
      {
        messages,
        targetTokens: (await sizeOf(messages)) - 1,
        options: { ...only('relevance'), relevance: { maxDropRatio: 1 } },
      },
      { decide },
    )
    const oldest = [...Array(300).keys()].map((index) => index + 1)
    expect(askedMessages(decide)).toEqual(oldest)
    expect(goneIds(messages, result)).toEqual(oldest.map((index) => `m${index}`))
    expect(result.report.relevance).toMatchObject({ asked: 300, notAsked: 100 })
  })

  it('and all of exactly 300', async () => {
    const messages = conversation(user('The task.'), ...chat(306, 6))
    const decide = judge(0.9)
    const targetTokens = (await sizeOf(messages)) - 1
    const result = await compactWith({ messages, targetTokens }, { decide })
    expect(result.report.relevance).toMatchObject({ asked: 300, notAsked: 0 })
  })

  it('of a System One server, in one request where the texts are short', async () => {
    const messages = conversation(user('The task.'), ...chat(320, 6))
    const { server, decide } = await systemOne({ answer: () => 0.01 })
    const result = await compactWith(
      { messages, targetTokens: (await sizeOf(messages)) - 1, options: only('relevance') },
      { decide },
    )
    expect(server.requests).toHaveLength(1)
    expect(Object.keys(sentTo(server)[0]?.questions ?? {})).toHaveLength(300)
    expect(result.report.relevance).toMatchObject({ asked: 300, dropped: 150, notAsked: 14 })
  })
})

describe('seed 0: the preview of a message', () => {
  const long = `Start. ${prose(700, 'long')} The port is 6432.`
  const messages = conversation(user('The task.'), user(long), user('Short.'), ...chat(8))

  async function previews(): Promise<Sent['state']['messages']> {
    const { server, decide } = await systemOne({ answer: () => 0.9 })
    await compactWith({ messages, targetTokens: (await sizeOf(messages)) - 1 }, { decide })
    return sentTo(server)[0]?.state.messages ?? {}
  }

  it('has at most 1,200 characters, of the end of the message too', async () => {
    const text = (await previews()).msg__1?.text ?? ''
    expect(long.length).toBeGreaterThan(4_000)
    expect(text.length).toBeLessThanOrEqual(1_200)
    expect(text.length).toBeGreaterThan(1_100)
    expect(text.startsWith('Start. ')).toBe(true)
    expect(text.endsWith('The port is 6432.')).toBe(true)
  })

  it('is the whole message where that is shorter', async () => {
    expect((await previews()).msg__2?.text).toBe('Short.')
  })

  it.each([1_199, 1_200])('is the whole of a message of %i characters', async (length) => {
    const exact = 'x'.repeat(length)
    const posted: JsonObject[] = conversation(user('The task.'), user(exact), ...chat(8))
    const { server, decide } = await systemOne({ answer: () => 0.9 })
    await compactWith({ messages: posted, targetTokens: (await sizeOf(posted)) - 1 }, { decide })
    expect(sentTo(server)[0]?.state.messages.msg__1?.text).toBe(exact)
  })
})
