import type { OpenaiMessage } from '../lib/tool-conversation.ts'
import { PEER_VERSIONS, peerModule } from './install.ts'
import type { Contestant, Task } from './peer.ts'

interface Part {
  readonly type: string
  readonly text?: string
  readonly toolCallId?: string
  readonly toolName?: string
  readonly input?: object
  readonly output?: { readonly type: 'text'; readonly value: string }
}

interface ModelMessage {
  readonly role: string
  readonly content: string | readonly Part[]
}

interface AiSdk {
  readonly pruneMessages: (options: object) => ModelMessage[]
}

/** pruneMessages has no budget: the caller says from where on tool calls go. */
export async function aiSdkContestants({ messages }: Task): Promise<Contestant[]> {
  const { pruneMessages } = (await import(peerModule('ai/dist/index.mjs'))) as AiSdk
  const names = new Map(
    messages.flatMap(({ tool_calls = [] }) =>
      tool_calls.map(({ id, function: call }) => [id, call.name] as const),
    ),
  )
  const input = messages.map((message) => toModelMessage(message, names))
  const half = Math.floor(messages.length / 2)
  return [
    ['all but the newest half', `before-last-${half}-messages`],
    ['all', 'all'],
  ].map(([name, toolCalls]) => ({
    name: `AI SDK ${PEER_VERSIONS.ai} pruneMessages, ${name}`,
    rounds: 9,
    run: () => pruneMessages({ messages: input, toolCalls }),
    toOpenai: (result) => (result as ModelMessage[]).flatMap(toOpenai),
  }))
}

function toModelMessage(
  { role, content, tool_calls = [], tool_call_id: toolCallId = '' }: OpenaiMessage,
  names: ReadonlyMap<string, string>,
): ModelMessage {
  if (role === 'tool') {
    const output = { type: 'text' as const, value: content ?? '' }
    const toolName = names.get(toolCallId) ?? ''
    return { role, content: [{ type: 'tool-result', toolCallId, toolName, output }] }
  }
  if (role !== 'assistant') return { role, content: content ?? '' }
  return {
    role,
    content: [
      ...(content === null ? [] : [{ type: 'text', text: content }]),
      ...tool_calls.map(({ id, function: call }) => ({
        type: 'tool-call',
        toolCallId: id,
        toolName: call.name,
        input: JSON.parse(call.arguments) as object,
      })),
    ],
  }
}

function toOpenai({ role, content }: ModelMessage): OpenaiMessage[] {
  if (typeof content === 'string') return [{ role, content }]
  if (role === 'tool') {
    return content.map(({ toolCallId = '', output }) => ({
      role,
      content: output?.value ?? '',
      tool_call_id: toolCallId,
    }))
  }
  const texts = content.flatMap(({ text }) => text ?? [])
  const calls = content
    .filter(({ type }) => type === 'tool-call')
    .map(({ toolCallId = '', toolName = '', input }) => ({
      id: toolCallId,
      type: 'function' as const,
      function: { name: toolName, arguments: JSON.stringify(input) },
    }))
  return [
    {
      role,
      content: texts.length === 0 ? null : texts.join('\n'),
      ...(calls.length > 0 && { tool_calls: calls }),
    },
  ]
}
