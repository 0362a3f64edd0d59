/**
 * Complaint 5, vercel/ai #11036, #13430 and #21102: reasoning and tool parts were pruned apart from
 * each other. OpenAI Responses demands both or neither, Anthropic refuses a message of reasoning
 * alone, and `reasoning-file` parts were forgotten.
 */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { prose } from '../seeds/support.ts'
import { DIALECTS } from './dialects.ts'
import { expectValid, sweep } from './support.ts'

const TURNS = Array.from({ length: 8 }, (_, turn) => turn)

function thoughtItem(turn: number, step: number): JsonObject {
  return {
    type: 'reasoning',
    id: `rs_${turn}_${step}`,
    summary: [{ type: 'summary_text', text: prose(20, `thought${turn}${step}`) }],
    encrypted_content: 'Q'.repeat(200),
  }
}

const { calls, results, says, user } = DIALECTS['openai-responses']

/** Each thought stands right before what it led to: a call, two calls, or a message. */
const RESPONSES: JsonObject[] = [
  user('The task.'),
  ...TURNS.flatMap((turn) => {
    const ids = turn % 2 === 0 ? [`call_${turn}`] : [`call_${turn}_0`, `call_${turn}_1`]
    return [
      thoughtItem(turn, 0),
      ...calls(ids),
      ...results(ids, 40),
      thoughtItem(turn, 1),
      ...says(prose(20, `report${turn}`)),
      user(prose(15, `wish${turn}`)),
    ]
  }),
]

const sealed = { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'Q'.repeat(200) } }

const SDK: JsonObject[] = [
  DIALECTS['ai-sdk'].user('The task.'),
  ...TURNS.flatMap((turn): JsonObject[] => [
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: prose(20, `thought${turn}`), providerOptions: sealed },
        { type: 'reasoning-file', data: 'aGVsbG8=', mediaType: 'text/plain' },
        { type: 'text', text: prose(30, `plan${turn}`) },
        { type: 'tool-call', toolCallId: `call_${turn}`, toolName: 'run', input: { turn } },
      ],
    },
    ...DIALECTS['ai-sdk'].results([`call_${turn}`], 40),
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: prose(20, `check${turn}`), providerOptions: sealed },
        { type: 'text', text: prose(turn === 7 ? 2_000 : 20, `report${turn}`) },
      ],
    },
    DIALECTS['ai-sdk'].user(prose(15, `wish${turn}`)),
  ]),
]

const isThought = (value: unknown): boolean =>
  ['reasoning', 'reasoning-file'].includes(String((value as JsonObject).type))
const contentOf = (message: unknown): JsonObject[] => {
  const { content } = message as JsonObject
  return Array.isArray(content) ? (content as JsonObject[]) : []
}

describe('reasoning and what it led to', () => {
  it('are both there or neither, in openai-responses', async () => {
    await sweep('openai-responses', RESPONSES, (step) => {
      expectValid('openai-responses', step)
      const left = step.result.messages
      for (const [index, item] of RESPONSES.entries()) {
        if (!isThought(item)) continue
        const place = left.indexOf(item)
        const follower = RESPONSES[index + 1]
        if (place === -1) expect(left).not.toContain(follower)
        else expect(left[place + 1]).toBe(follower)
      }
    })
  })

  it('are both there or neither in an assistant message of the AI SDK, files of reasoning too', async () => {
    const thoughts = SDK.flatMap((message) => contentOf(message).filter(isThought))
    let rewritten = 0
    await sweep('ai-sdk', SDK, (step) => {
      expectValid('ai-sdk', step)
      for (const message of step.result.messages) {
        const content = contentOf(message)
        const own = content.filter(isThought)
        // Every thought is one that was posted, and no message has lost one of its own.
        for (const thought of own) expect(thoughts).toContain(thought)
        const calls = content.filter(({ type }) => type === 'tool-call')
        if (calls.length > 0) expect(own).toHaveLength(2)
        if (own.length > 0) expect(content.length).toBeGreaterThan(own.length)
        if (own.length > 0 && !SDK.includes(message as JsonObject)) rewritten += 1
      }
    })
    // Texts were shortened that stood beside reasoning.
    expect(rewritten).toBeGreaterThan(0)
  })
})
