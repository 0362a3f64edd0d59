/** What leaves for models outside holds no secret; what goes back to the caller is not altered. */
import { afterEach, describe, expect, it } from 'vitest'
import { decideVariables, WIRES } from '../helpers/decide-wires.ts'
import type { CompactAnswer } from '../helpers/service-answers.ts'
import { startService } from '../helpers/start-service.ts'
import { startSummarizerServer } from '../helpers/summarizer-server.ts'
import { GOOD_SUMMARY, summarizerVariables } from '../helpers/summarizer-variables.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** In the shape of a GitHub token; put together so that no scanner stops at this file. */
const SECRET = ['ghp', '_', 'a1B2'.repeat(9)].join('')

const said = (index: number) => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: `${index}: deploy with ${SECRET} and tell me. ${'The build goes on. '.repeat(20)}`,
})
const messages = Array.from({ length: 41 }, (_, index) => said(index))

async function compact(environment: Readonly<Record<string, string>>) {
  const decide = await WIRES.systemone.start((id) => (id === 'preserves' ? 0.95 : 0.4))
  const summarizer = await startSummarizerServer()
  summarizer.script({ kind: 'summary', text: `${GOOD_SUMMARY}\nThe token is [secret 1].` })
  const service = await startService({
    ...decideVariables('systemone', decide.url, 2_000),
    ...summarizerVariables('openai', summarizer, 2_000),
    ...environment,
  })
  closing.push(decide.close, summarizer.close, service.close)
  const answer = await service.ask<CompactAnswer & { messages: { content: string }[] }>(
    '/compact',
    {
      messages,
      targetTokens: 2_000,
    },
  )
  expect(answer.stagesUsed).toContain('summarize')
  expect(decide.requests.length).toBeGreaterThan(0)
  expect(summarizer.requests.length).toBeGreaterThan(0)
  return { answer, sent: JSON.stringify([decide.requests, summarizer.requests]) }
}

describe('redaction', () => {
  it('keeps secrets from the decide model and the summariser, and not from the caller', async () => {
    const { answer, sent } = await compact({})
    expect(sent).not.toContain(SECRET)
    expect(sent).toContain('[secret 1]')
    expect(answer.messages.at(-1)).toEqual(messages.at(-1))
    const summary = answer.messages.find(({ content }) => content.includes('The token is'))
    expect(summary?.content).toContain(`The token is ${SECRET}.`)
  })

  it('can be switched off', async () => {
    const { sent } = await compact({ PRECIS_REDACT: 'off' })
    expect(sent).toContain(SECRET)
  })
})
