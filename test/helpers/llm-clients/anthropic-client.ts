import Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { type LlmClient, READ_TOOL } from './llm-client.ts'

const MODEL = 'claude-opus-5-5'
const LIMITS = { model: MODEL, max_tokens: 200 } as const

export const anthropicClient: LlmClient = {
  name: '@anthropic-ai/sdk',
  api: 'anthropic-messages',
  model: MODEL,
  connect: ({ origin, headers = {} }) => {
    const client = new Anthropic({
      apiKey: 'test-key',
      baseURL: origin,
      maxRetries: 0,
      defaultHeaders: headers,
    })
    return {
      ask: async (text) => {
        const answer = await client.messages.create({ ...LIMITS, messages: [user(text)] })
        return { text: textOf(answer.content), everything: answer }
      },
      stream: async (text, { signal, onChunk } = {}) => {
        const stream = await client.messages.create(
          { ...LIMITS, messages: [user(text)], stream: true },
          signal === undefined ? {} : { signal },
        )
        const events: Anthropic.RawMessageStreamEvent[] = []
        for await (const event of stream) {
          events.push(event)
          onChunk?.()
        }
        const pieces = events.map((event) =>
          event.type === 'content_block_delta' && event.delta.type === 'text_delta'
            ? event.delta.text
            : '',
        )
        return { text: pieces.join(''), everything: events }
      },
      loop: async ({ task, maxTurns, resultOf }) => {
        const answer = await client.beta.messages
          .toolRunner({
            ...LIMITS,
            messages: [user(task)],
            tools: [tool(resultOf)],
            max_iterations: maxTurns,
            thread: false,
          })
          .runUntilDone()
        return { text: textOf(answer.content), everything: answer }
      },
      loopStreamed: async ({ task, maxTurns, resultOf }) => {
        const answer = await client.beta.messages
          .toolRunner({
            ...LIMITS,
            messages: [user(task)],
            tools: [tool(resultOf)],
            max_iterations: maxTurns,
            thread: false,
            stream: true,
          })
          .runUntilDone()
        return { text: textOf(answer.content), everything: answer }
      },
    }
  },
}

function user(content: string) {
  return { role: 'user', content } as const
}

function textOf(content: readonly { readonly type: string; readonly text?: unknown }[]): string {
  return content.map(({ type, text }) => (type === 'text' ? String(text) : '')).join('')
}

function tool(resultOf: (step: number) => string) {
  const { name, description, parameters } = READ_TOOL
  return betaTool({
    name,
    description,
    inputSchema: parameters,
    run: ({ step }) => resultOf(step),
  })
}
