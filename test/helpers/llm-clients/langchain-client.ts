import { type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { type LlmClient, READ_TOOL, type ReadInput, type ToolLoop } from './llm-client.ts'

const MODEL = 'gpt-4o'
const TOOL = { type: 'function', function: READ_TOOL } as const

type Model = Pick<ChatOpenAI, 'invoke' | 'stream'>

export const langchainClient: LlmClient = {
  name: '@langchain/openai',
  api: 'openai-chat',
  model: MODEL,
  connect: ({ origin, headers = {} }) => {
    const chat = new ChatOpenAI({
      model: MODEL,
      apiKey: 'test-key',
      maxRetries: 0,
      configuration: { baseURL: `${origin}/v1`, defaultHeaders: headers },
    })
    const withTools = chat.bindTools([TOOL]) as unknown as Model
    return {
      ask: async (text) => {
        const answer = await chat.invoke(text)
        return { text: answer.text, everything: answer.toDict() }
      },
      stream: async (text, { signal, onChunk } = {}) => {
        const stream = await chat.stream(text, signal === undefined ? {} : { signal })
        const chunks: unknown[] = []
        let said = ''
        for await (const chunk of stream) {
          said += chunk.text
          chunks.push(chunk.toDict())
          onChunk?.()
        }
        return { text: said, everything: chunks }
      },
      loop: (loop) => run(loop, (messages) => withTools.invoke(messages)),
      loopStreamed: (loop) => run(loop, (messages) => streamed(withTools, messages)),
    }
  },
}

async function streamed(model: Model, messages: BaseMessage[]) {
  const stream = await model.stream(messages)
  let whole: Awaited<ReturnType<Model['invoke']>> | undefined
  for await (const chunk of stream) whole = whole === undefined ? chunk : whole.concat(chunk)
  if (whole === undefined) throw new Error('an empty stream')
  return whole
}

/** Agents live in another package; this is the loop of the documentation of tool calls. */
async function run(
  { task, maxTurns, resultOf }: ToolLoop,
  respond: (messages: BaseMessage[]) => Promise<Awaited<ReturnType<Model['invoke']>>>,
) {
  const messages: BaseMessage[] = [new HumanMessage(task)]
  for (let turn = 0; turn < maxTurns; turn += 1) {
    const answer = await respond(messages)
    const calls = answer.tool_calls ?? []
    if (calls.length === 0) return { text: answer.text, everything: answer.toDict() }
    messages.push(answer)
    for (const { id, args } of calls) {
      const content = resultOf((args as ReadInput).step)
      messages.push(new ToolMessage({ content, tool_call_id: String(id) }))
    }
  }
  throw new Error('more turns than allowed')
}
