import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, type LanguageModel, stepCountIs, streamText, tool } from 'ai'
import type { LlmApi } from '../llm-servers/types.ts'
import {
  type ConnectOptions,
  type LlmClient,
  READ_TOOL,
  type ReadInput,
  type ToolLoop,
} from './llm-client.ts'

export const aiSdkChatClient = client(
  'ai, @ai-sdk/openai chat',
  'openai-chat',
  'gpt-4o',
  (options) => createOpenAI(settings(options, '/v1')).chat('gpt-4o'),
)

export const aiSdkResponsesClient = client(
  'ai, @ai-sdk/openai responses',
  'openai-responses',
  'gpt-4o',
  (options) => createOpenAI(settings(options, '/v1')).responses('gpt-4o'),
)

export const aiSdkAnthropicClient = client(
  'ai, @ai-sdk/anthropic',
  'anthropic-messages',
  'claude-opus-5-5',
  (options) => createAnthropic(settings(options, '/v1'))('claude-opus-5-5'),
)

function settings({ origin, headers = {} }: ConnectOptions, path: string) {
  return { baseURL: `${origin}${path}`, apiKey: 'test-key', headers: { ...headers } }
}

function client(
  name: string,
  api: LlmApi,
  model: string,
  modelOf: (options: ConnectOptions) => LanguageModel,
): LlmClient {
  return {
    name,
    api,
    model,
    connect: (options) => {
      const common = { model: modelOf(options), maxRetries: 0, maxOutputTokens: 200 }
      return {
        ask: async (prompt) => {
          const { text, usage, finishReason } = await generateText({ ...common, prompt })
          return { text, everything: { text, usage, finishReason } }
        },
        stream: async (prompt, { signal, onChunk } = {}) => {
          const result = streamText({
            ...common,
            prompt,
            onError: () => {},
            ...(signal !== undefined && { abortSignal: signal }),
          })
          return collect(result, onChunk)
        },
        loop: async (loop) => {
          const { text, steps } = await generateText({ ...common, ...loopOf(loop) })
          return { text, everything: steps.length }
        },
        loopStreamed: async (loop) => {
          const result = streamText({ ...common, ...loopOf(loop), onError: () => {} })
          const { text } = await collect(result)
          return { text: text.slice(text.lastIndexOf('.') + 1), everything: text }
        },
      }
    },
  }
}

interface Part {
  readonly type: string
  readonly text?: string
  readonly error?: unknown
}

/** `fullStream` reports errors and aborts as parts; a caller of the others' sees them thrown. */
async function collect({ fullStream }: { fullStream: AsyncIterable<Part> }, onChunk?: () => void) {
  const parts: unknown[] = []
  let text = ''
  for await (const part of fullStream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'abort') throw new DOMException('The client aborted.', 'AbortError')
    if (part.type === 'text-delta') text += part.text
    parts.push(comparable(part))
    onChunk?.()
  }
  return { text, everything: parts }
}

/** Without what differs between any two requests: the time, the headers. */
function comparable(part: Part): unknown {
  return part.type === 'text-delta' ? part.text : part.type
}

function loopOf({ task, maxTurns, resultOf }: ToolLoop) {
  const { name, description, parameters } = READ_TOOL
  return {
    prompt: task,
    stopWhen: stepCountIs(maxTurns),
    tools: {
      [name]: tool({
        description,
        inputSchema: jsonSchema<ReadInput>({ ...parameters, required: [...parameters.required] }),
        execute: async ({ step }) => resultOf(step),
      }),
    },
  }
}
