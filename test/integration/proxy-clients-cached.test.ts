/** Agents that mark what the provider is to cache, as Claude Code does: the system prompt and the newest messages. */
import Anthropic from '@anthropic-ai/sdk'
import { afterEach, expect, it } from 'vitest'
import { anthropicClient } from '../helpers/llm-clients/anthropic-client.ts'
import { READ_TOOL, type ReadInput } from '../helpers/llm-clients/llm-client.ts'
import { messageOf, OVERFLOWS } from '../helpers/llm-clients/outcome.ts'
import { type Proxied, partOfModule, startProxied } from '../helpers/llm-clients/start-proxied.ts'

type Message = Anthropic.MessageParam

const WINDOW = 8_000
const TURNS = 30
const EPHEMERAL = { cache_control: { type: 'ephemeral' } } as const

let running: Proxied

afterEach(() => running.close())

it('gets to its end though everything stands before a mark, and keeps what is marked for good', async () => {
  running = await startProxied(anthropicClient, { window: WINDOW, turns: TURNS })
  const { upstream, service } = running
  const failure: unknown = await work(upstream.origin).catch((error: unknown) => error)
  expect(messageOf(failure)).toMatch(OVERFLOWS['anthropic-messages'])

  upstream.reset()
  const answer = await work(service.url)
  expect(answer.stop_reason).toBe('end_turn')
  const { requests } = upstream
  expect(requests.map(({ status }) => status)).toEqual(Array(TURNS + 1).fill(200))
  for (const { bytes, body } of requests) {
    expect(String(bytes)).toContain('"Read all parts of the module."')
    expect(body?.system).toEqual([SYSTEM])
    expect(marksOf(body?.messages)).toBeLessThanOrEqual(2)
  }
})

const SYSTEM = { type: 'text' as const, text: 'You are careful.', ...EPHEMERAL }

async function work(baseURL: string): Promise<Anthropic.Message> {
  const client = new Anthropic({ apiKey: 'test-key', baseURL, maxRetries: 0 })
  const { name, description, parameters } = READ_TOOL
  const tool = {
    name,
    description,
    input_schema: { ...parameters, required: [...parameters.required] },
  }
  const messages: Message[] = [{ role: 'user', content: 'Read all parts of the module.' }]
  for (let turn = 0; turn <= TURNS; turn += 1) {
    const answer = await client.messages.create({
      model: anthropicClient.model,
      max_tokens: 200,
      system: [SYSTEM],
      tools: [tool],
      messages: markNewest(messages),
    })
    const calls = answer.content.filter((block) => block.type === 'tool_use')
    if (calls.length === 0) return answer
    messages.push({ role: 'assistant', content: answer.content as Anthropic.ContentBlockParam[] })
    messages.push({
      role: 'user',
      content: calls.map(({ id, input }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: partOfModule((input as ReadInput).step),
      })),
    })
  }
  throw new Error('more turns than expected')
}

/** A mark on the last block of each of the two newest messages of the user. */
function markNewest(messages: readonly Message[]): Message[] {
  const users = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []))
  const marked = new Set(users.slice(-2))
  return messages.map((message, index) => (marked.has(index) ? mark(message) : message))
}

function mark({ content }: Message): Message {
  const blocks: Anthropic.ContentBlockParam[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : [...content]
  const last = blocks.at(-1) as Anthropic.ToolResultBlockParam
  return { role: 'user', content: [...blocks.slice(0, -1), { ...last, ...EPHEMERAL }] }
}

function marksOf(messages: unknown): number {
  return JSON.stringify(messages).split('cache_control').length - 1
}
