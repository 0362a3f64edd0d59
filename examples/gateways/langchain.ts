/** LangChain: one line changes, the base URL of its model. `npx tsx examples/gateways/langchain.ts` */
import { type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { demonstrate, readPart } from './support/demonstrate.ts'

const TOOL = {
  type: 'function',
  function: {
    name: 'read_part',
    description: 'Reads one part of the module.',
    parameters: { type: 'object', properties: { step: { type: 'integer' } } },
  },
} as const

await demonstrate({
  what: '@langchain/openai',
  model: 'gpt-4o',
  environment: (upstream) => ({ PRECIS_UPSTREAM_OPENAI_URL: `${upstream}/v1` }),
  work: async ({ upstream, precis = upstream }) => {
    const chat = new ChatOpenAI({
      model: 'gpt-4o',
      apiKey: 'your key',
      configuration: { baseURL: `${precis}/v1` },
    }).bindTools([TOOL])
    const messages: BaseMessage[] = [new HumanMessage('Read all parts of the module.')]
    for (let turn = 0; turn < 40; turn += 1) {
      const answer = await chat.invoke(messages)
      const calls = answer.tool_calls ?? []
      if (calls.length === 0) return answer.text
      messages.push(answer)
      for (const { id = '', args } of calls) {
        const content = readPart((args as { step: number }).step)
        messages.push(new ToolMessage({ content, tool_call_id: id }))
      }
    }
    throw new Error('more turns than expected')
  },
})
