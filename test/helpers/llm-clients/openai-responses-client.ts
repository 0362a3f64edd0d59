import type OpenAI from 'openai'
import { type LlmClient, READ_TOOL, type ReadInput, type ToolLoop } from './llm-client.ts'
import { openaiSdk } from './openai-chat-client.ts'

type Item = OpenAI.Responses.ResponseInputItem
type Response = OpenAI.Responses.Response

const MODEL = 'gpt-4o'
const TOOL = { type: 'function', strict: true, ...READ_TOOL } as const

/** The whole conversation goes with each request, and nothing is stored. */
const STATELESS = { model: MODEL, store: false } as const

export const openaiResponsesClient: LlmClient = {
  name: 'openai, Responses',
  api: 'openai-responses',
  model: MODEL,
  connect: (options) => {
    const { responses } = openaiSdk(options)
    return {
      ask: async (input) => {
        const answer = await responses.create({ ...STATELESS, input })
        return { text: answer.output_text, everything: answer }
      },
      stream: async (input, { signal, onChunk } = {}) => {
        const stream = await responses.create(
          { ...STATELESS, input, stream: true },
          signal === undefined ? {} : { signal },
        )
        const events: OpenAI.Responses.ResponseStreamEvent[] = []
        for await (const event of stream) {
          events.push(event)
          onChunk?.()
        }
        const pieces = events.map((event) =>
          event.type === 'response.output_text.delta' ? event.delta : '',
        )
        return { text: pieces.join(''), everything: events }
      },
      loop: (loop) =>
        run(loop, (input) => responses.create({ ...STATELESS, input, tools: [TOOL] })),
      loopStreamed: (loop) =>
        run(loop, (input) =>
          responses.stream({ ...STATELESS, input, tools: [TOOL] }).finalResponse(),
        ),
    }
  },
}

/** The SDK has no loop of its own for Responses; this is the one of its documentation. */
async function run(
  { task, maxTurns, resultOf }: ToolLoop,
  respond: (input: Item[]) => Promise<Response>,
) {
  const input: Item[] = [{ role: 'user', content: task }]
  for (let turn = 0; turn < maxTurns; turn += 1) {
    const answer = await respond(input)
    const calls = answer.output.filter((item) => item.type === 'function_call')
    if (calls.length === 0) return { text: answer.output_text, everything: answer }
    for (const item of answer.output) input.push(item as Item)
    for (const { call_id, arguments: text } of calls) {
      const { step } = JSON.parse(text) as ReadInput
      input.push({ type: 'function_call_output', call_id, output: resultOf(step) })
    }
  }
  throw new Error('more turns than allowed')
}
