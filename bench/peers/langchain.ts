import { isLong } from '../lib/report.ts'
import type { OpenaiMessage } from '../lib/tool-conversation.ts'
import { PEER_VERSIONS, peerModule } from './install.ts'
import type { Contestant, Task } from './peer.ts'

interface LangchainMessage {
  readonly content: string
  readonly tool_calls?: readonly { id: string; name: string; args: object }[]
  readonly tool_call_id?: string
  readonly getType: () => string
}

type MessageClass = new (fields: object) => LangchainMessage

interface Langchain {
  readonly SystemMessage: MessageClass
  readonly HumanMessage: MessageClass
  readonly AIMessage: MessageClass
  readonly ToolMessage: MessageClass
  readonly trimMessages: (messages: LangchainMessage[], options: object) => Promise<unknown>
}

type CountMessages = (messages: readonly LangchainMessage[]) => number

/** trimMessages takes the counter from its caller; its documentation shows one of characters. */
export async function langchainContestants(task: Task): Promise<Contestant[]> {
  const langchain = (await import(
    peerModule('@langchain/core/dist/messages/index.js')
  )) as Langchain
  const messages = task.messages.map((message) => toLangchain(message, langchain))
  const contestant = (
    name: string,
    rounds: number,
    createCounter: () => CountMessages,
    options: object = {},
  ): Contestant => ({
    name: `LangChain ${PEER_VERSIONS['@langchain/core']} trimMessages, ${name}`,
    rounds,
    run: () =>
      langchain.trimMessages(messages, {
        maxTokens: task.target,
        strategy: 'last',
        includeSystem: true,
        tokenCounter: createCounter(),
        ...options,
      }),
    toOpenai: (result) => (result as LangchainMessage[]).map(toOpenai),
  })
  const exactly =
    (countTokens: (text: string) => number) =>
    ({ content, tool_calls = [] }: LangchainMessage): number => {
      let tokens = countTokens(content)
      for (const { name, args } of tool_calls) {
        tokens += countTokens(`${name}(${JSON.stringify(args)})`)
      }
      return tokens
    }
  const known = new Map<string, number>()
  const countOnce = (text: string): number => {
    const tokens = known.get(text) ?? task.countTokens(text)
    known.set(text, tokens)
    return tokens
  }
  const sum = (of: (message: LangchainMessage) => number) => (): CountMessages => (list) =>
    list.reduce((total, message) => total + of(message), 0)
  const characters = ({ content }: LangchainMessage): number => Math.ceil(content.length / 4)
  return [
    contestant('exact counts, cached', 3, sum(exactly(countOnce)), { startOn: 'human' }),
    contestant('chars/4, from a user turn', 3, sum(characters), { startOn: 'human' }),
    contestant('chars/4, defaults', 3, sum(characters)),
    ...(isLong
      ? [contestant('exact counts', 1, sum(exactly(task.countTokens)), { startOn: 'human' })]
      : []),
  ]
}

function toLangchain(message: OpenaiMessage, langchain: Langchain): LangchainMessage {
  const { role, content, tool_calls = [], tool_call_id } = message
  const fields = { content: content ?? '' }
  if (role === 'system') return new langchain.SystemMessage(fields)
  if (role === 'user') return new langchain.HumanMessage(fields)
  if (role === 'tool') return new langchain.ToolMessage({ ...fields, tool_call_id })
  return new langchain.AIMessage({
    ...fields,
    tool_calls: tool_calls.map(({ id, function: call }) => ({
      id,
      name: call.name,
      args: JSON.parse(call.arguments) as object,
      type: 'tool_call',
    })),
  })
}

const ROLES: Readonly<Record<string, string>> = { system: 'system', human: 'user', tool: 'tool' }

function toOpenai(message: LangchainMessage): OpenaiMessage {
  const { content, tool_calls = [], tool_call_id } = message
  const role = ROLES[message.getType()] ?? 'assistant'
  const calls = tool_calls.map(({ id, name, args }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: JSON.stringify(args) },
  }))
  return {
    role,
    content: content === '' && calls.length > 0 ? null : content,
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(tool_call_id !== undefined && { tool_call_id }),
  }
}
