import { FORMATS } from '../lib/conversation-formats.ts'
import type { OpenaiMessage } from '../lib/tool-conversation.ts'
import { PEER_VERSIONS, peerModule } from './install.ts'
import type { Contestant, Task } from './peer.ts'

interface ChatMessage {
  readonly role: string
  readonly content: string
  readonly tool?: string
  readonly toolCallId?: string
  readonly args?: object
}

interface Neurolink {
  readonly ContextCompactor: new (
    options: object,
  ) => {
    readonly compact: (
      messages: readonly ChatMessage[],
      target: number,
    ) => Promise<{ readonly messages: readonly ChatMessage[] }>
  }
}

/** Its positional stages, with the numbers that it has by itself; no model writes a summary. */
export async function neurolinkContestants({ messages, target }: Task): Promise<Contestant[]> {
  const { ContextCompactor } = (await import(
    peerModule('@juspay/neurolink/dist/context/contextCompactor.js')
  )) as Neurolink
  const compactor = new ContextCompactor({ enableSummarize: false, provider: 'openai' })
  const input = FORMATS.neurolink(messages).messages as ChatMessage[]
  return [
    {
      name: `NeuroLink ${PEER_VERSIONS['@juspay/neurolink']} ContextCompactor`,
      rounds: 9,
      run: () => compactor.compact(input, target),
      toOpenai: (result) => toOpenai((result as { messages: readonly ChatMessage[] }).messages),
    },
  ]
}

/** A call goes back to the message of the assistant that it came from: the rules of pairs ask for that. */
function toOpenai(messages: readonly ChatMessage[]): OpenaiMessage[] {
  const written: OpenaiMessage[] = []
  for (const { role, content, tool = '', toolCallId = '', args } of messages) {
    if (role === 'tool_result') {
      written.push({ role: 'tool', content, tool_call_id: toolCallId })
    } else if (role === 'tool_call') {
      const call = {
        id: toolCallId,
        type: 'function' as const,
        function: { name: tool, arguments: JSON.stringify(args) },
      }
      const last = written.at(-1)
      if (last?.role === 'assistant' && last.tool_calls === undefined) last.tool_calls = [call]
      else written.push({ role: 'assistant', content: null, tool_calls: [call] })
    } else {
      written.push({ role, content })
    }
  }
  return written
}
