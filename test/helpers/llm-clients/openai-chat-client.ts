import OpenAI from 'openai'
import { type ConnectOptions, type LlmClient, READ_TOOL, type ReadInput } from './llm-client.ts'

const MODEL = 'gpt-4o'

export function openaiSdk({ origin, headers = {} }: ConnectOptions): OpenAI {
  return new OpenAI({
    apiKey: 'test-key',
    baseURL: `${origin}/v1`,
    maxRetries: 0,
    defaultHeaders: headers,
  })
}

export const openaiChatClient: LlmClient = {
  name: 'openai, chat completions',
  api: 'openai-chat',
  model: MODEL,
  connect: (options) => {
    const { completions } = openaiSdk(options).chat
    return {
      ask: async (text) => {
        const answer = await completions.create({ model: MODEL, messages: [user(text)] })
        return { text: answer.choices[0]?.message.content ?? '', everything: answer }
      },
      stream: async (text, { signal, onChunk } = {}) => {
        const stream = await completions.create(
          {
            model: MODEL,
            messages: [user(text)],
            stream: true,
            stream_options: { include_usage: true },
          },
          signal === undefined ? {} : { signal },
        )
        const chunks: OpenAI.ChatCompletionChunk[] = []
        for await (const chunk of stream) {
          chunks.push(chunk)
          onChunk?.()
        }
        const pieces = chunks.map(({ choices }) => choices[0]?.delta.content ?? '')
        return { text: pieces.join(''), everything: chunks }
      },
      loop: async ({ task, maxTurns, resultOf }) => {
        const runner = completions.runTools(
          { model: MODEL, messages: [user(task)], tools: [tool(resultOf)] },
          { maxChatCompletions: maxTurns },
        )
        return { text: (await runner.finalContent()) ?? '', everything: runner.messages.at(-1) }
      },
      loopStreamed: async ({ task, maxTurns, resultOf }) => {
        const runner = completions.runTools(
          { model: MODEL, messages: [user(task)], tools: [tool(resultOf)], stream: true },
          { maxChatCompletions: maxTurns },
        )
        return { text: (await runner.finalContent()) ?? '', everything: runner.messages.at(-1) }
      },
    }
  },
}

function user(content: string) {
  return { role: 'user', content } as const
}

function tool(resultOf: (step: number) => string) {
  return {
    type: 'function' as const,
    function: {
      ...READ_TOOL,
      parameters: { ...READ_TOOL.parameters, required: [...READ_TOOL.parameters.required] },
      parse: (text: string) => JSON.parse(text) as ReadInput,
      function: ({ step }: ReadInput) => resultOf(step),
    },
  }
}
