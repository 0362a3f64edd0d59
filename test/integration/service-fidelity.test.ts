/** P1 over HTTP: what is not edited comes back with the very bytes that it was posted with. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningService, startService } from '../helpers/start-service.ts'

let service: RunningService

beforeAll(async () => {
  service = await startService({ PRECIS_DECIDE_WIRE: 'none' })
})
afterAll(() => service.close())

/** Spellings that JSON.parse and JSON.stringify do not bring back. */
const SPELLINGS = [
  '"big":12345678901234567890',
  '"decimal":1.0',
  '"exponent":1E5',
  '"negative":-0',
  '"precise":0.10000000000000000555',
  '"escaped":"\\u00e9\\/\\u0041"',
  '"half":"\\ud83d"',
  '"10":"after","9":"before"',
  '"twice":1,"twice":2',
  '"__proto__":{"a":1}',
  '"spaced" : [ 1 ,\t2 ]',
].join(',')

const filler = 'word '.repeat(150)

const said = (role: string, number: number): string =>
  `{ "role":"${role}", "content":"${number} ${filler}", ${SPELLINGS} }`

const CALL = `{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"run","arguments":"{}"},${SPELLINGS}}]}`
const RESULT = `{"role":"tool", "tool_call_id":"c1", ${SPELLINGS}, "content":[{"type":"text","text":"${filler.repeat(20)}",${SPELLINGS}}]}`

const MESSAGES = [
  said('user', 0),
  said('assistant', 1),
  CALL,
  RESULT,
  ...Array.from({ length: 20 }, (_, index) =>
    said(index % 2 === 0 ? 'user' : 'assistant', index + 2),
  ),
]

const listOf = (messages: readonly string[]): string => `[\n${messages.join(' ,\n  ')}\t]`

async function post(list: string, members: string): Promise<string> {
  const body = `{"format":"openai-chat", ${members} ,"messages": ${list} , "explain":"none"}`
  const { statusCode, body: answer } = await service.send('/compact', { method: 'POST', body })
  expect(statusCode).toBe(200)
  return answer
}

/** The conversation is the last member of the answer. */
const conversationOf = (answer: string): string =>
  answer.slice(answer.indexOf('"messages":') + '"messages":'.length, -1)

describe('a run that changes nothing', () => {
  it('gives the conversation back byte for byte', async () => {
    const list = listOf(MESSAGES)
    const answer = await post(list, '"targetTokens":1000000')
    expect(conversationOf(answer)).toBe(list)
    expect(JSON.parse(answer).outcome).toBe('unchanged')
  })

  it('does so in a dry run as well, whatever it would have changed', async () => {
    const list = listOf(MESSAGES)
    const answer = await post(list, '"targetTokens":3000,"dryRun":true')
    expect(conversationOf(answer)).toBe(list)
    expect(JSON.parse(answer).outcome).toBe('compacted')
  })

  it('does so for the last of two conversations, which is the one that JSON means', async () => {
    const list = listOf(MESSAGES)
    const answer = await post(list, '"messages":[{"role":"user","content":"first"}]')
    expect(conversationOf(answer)).toBe(list)
  })
})

describe('a run that drops messages', () => {
  it('gives every other message back with its own bytes', async () => {
    const answer = await post(listOf(MESSAGES), '"targetTokens":3000')
    const conversation = conversationOf(answer)
    const { outcome, messages } = JSON.parse(answer)
    expect(outcome).toBe('compacted')
    const kept = MESSAGES.filter((message) => conversation.includes(message))
    const isMarker = ({ content }: { content: string }) => /^\[\d+ earlier/.test(content)
    expect(kept.length).toBe(messages.filter((message: never) => !isMarker(message)).length)
    expect(kept.length).toBeLessThan(MESSAGES.length)
    expect(kept.length).toBeGreaterThan(6)
  })
})

describe('a run that rewrites a message', () => {
  it('changes the text, and leaves the bytes of every other member', async () => {
    const before = JSON.parse(await post(listOf(MESSAGES), '"targetTokens":1000000')).tokensBefore
    const prune =
      '"options":{"prune":{"protectTokens":0,"minimumSavings":0},"relevance":{"enabled":false}}'
    const answer = await post(listOf(MESSAGES), `"targetTokens":${before - 500},${prune}`)
    expect(JSON.parse(answer).stagesUsed).toEqual(['prune'])
    const rewritten = RESULT.replace(filler.repeat(20), '[Tool result cleared: run]')
      // Of several members of one name only the last counts, and a message is written anew around it.
      .replaceAll('"twice":1,', '')
    expect(conversationOf(answer)).toContain(rewritten)
    for (const message of MESSAGES.filter((message) => message !== RESULT)) {
      expect(conversationOf(answer)).toContain(message)
    }
  })
})

describe('bytes as a limit', () => {
  it('are those that were posted, white space and escapes included', async () => {
    const list = listOf(MESSAGES)
    const answer = JSON.parse(await post(list, '"targetTokens":1000000,"maxBytes":10000000'))
    const between = MESSAGES.length - 1
    // What stands between the messages is not theirs; a comma is counted for each.
    expect(answer.bytes.before).toBe(Buffer.byteLength(MESSAGES.join(',')) + 2)
    expect(Buffer.byteLength(list) - answer.bytes.before).toBe(2 + between * 4)
  })
})
