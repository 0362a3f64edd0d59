import {
  type CallableTool,
  type GenerateContentConfig,
  type GenerateContentResponse,
  GoogleGenAI,
} from '@google/genai'
import { type LlmClient, READ_TOOL, type ToolLoop } from './llm-client.ts'

const MODEL = 'gemini-2.5-pro'

export const googleClient: LlmClient = {
  name: '@google/genai',
  api: 'gemini',
  model: MODEL,
  connect: ({ origin, headers = {} }) => {
    const { models } = new GoogleGenAI({
      apiKey: 'test-key',
      httpOptions: { baseUrl: origin, headers, retryOptions: { attempts: 1 } },
    })
    return {
      ask: async (contents) => {
        const answer = await models.generateContent({ model: MODEL, contents })
        return { text: answer.text ?? '', everything: withoutTransport(answer) }
      },
      stream: async (contents, { signal, onChunk } = {}) => {
        const stream = await models.generateContentStream({
          model: MODEL,
          contents,
          ...(signal !== undefined && { config: { abortSignal: signal } }),
        })
        return collect(stream, onChunk)
      },
      loop: async (loop) => {
        const answer = await models.generateContent({
          model: MODEL,
          contents: loop.task,
          config: configOf(loop),
        })
        return { text: answer.text ?? '', everything: answer.candidates }
      },
      loopStreamed: async (loop) => {
        const stream = await models.generateContentStream({
          model: MODEL,
          contents: loop.task,
          config: configOf(loop),
        })
        const { text } = await collect(stream)
        return { text, everything: text }
      },
    }
  },
}

async function collect(stream: AsyncIterable<GenerateContentResponse>, onChunk?: () => void) {
  const chunks: unknown[] = []
  let text = ''
  for await (const chunk of stream) {
    chunks.push(withoutTransport(chunk))
    text += (chunk.candidates?.[0]?.content?.parts ?? []).map((part) => part.text ?? '').join('')
    onChunk?.()
  }
  return { text, everything: chunks }
}

/** The answer without the client's own record of status and headers. */
function withoutTransport({ sdkHttpResponse: _, ...answer }: GenerateContentResponse): unknown {
  return answer
}

function configOf({ maxTurns, resultOf }: ToolLoop): GenerateContentConfig {
  const { name, description, parameters } = READ_TOOL
  const { additionalProperties: _, ...schema } = parameters
  const tool: CallableTool = {
    tool: async () => ({
      functionDeclarations: [{ name, description, parametersJsonSchema: schema }],
    }),
    callTool: async (calls) =>
      calls.map(({ id, name: called, args }) => ({
        functionResponse: {
          ...(id !== undefined && { id }),
          ...(called !== undefined && { name: called }),
          response: { output: resultOf(Number(args?.step)) },
        },
      })),
  }
  return { tools: [tool], automaticFunctionCalling: { maximumRemoteCalls: maxTurns } }
}
