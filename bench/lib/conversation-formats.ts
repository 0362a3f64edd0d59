import type { OpenaiMessage } from './tool-conversation.ts'

/** The members of a request body that hold a conversation. */
export interface ConversationMembers {
  readonly format: 'openai-chat' | 'anthropic-messages' | 'neurolink'
  readonly system?: string
  readonly messages: readonly object[]
}

export const FORMATS: Readonly<
  Record<ConversationMembers['format'], (messages: readonly OpenaiMessage[]) => ConversationMembers>
> = {
  'openai-chat': (messages) => ({ format: 'openai-chat', messages }),
  'anthropic-messages': toAnthropic,
  neurolink: toNeurolink,
}

function toAnthropic([first, ...others]: readonly OpenaiMessage[]): ConversationMembers {
  return {
    format: 'anthropic-messages',
    system: first?.content ?? '',
    messages: others.map(({ role, content, tool_calls = [], tool_call_id }) => {
      if (role === 'tool') {
        const result = { type: 'tool_result', tool_use_id: tool_call_id, content }
        return { role: 'user', content: [result] }
      }
      const calls = tool_calls.map(({ id, function: call }) => ({
        type: 'tool_use',
        id,
        name: call.name,
        input: JSON.parse(call.arguments) as object,
      }))
      const text = content === null ? [] : [{ type: 'text', text: content }]
      return { role, content: [...text, ...calls] }
    }),
  }
}

/** What an assistant says beside a call becomes a message of its own. */
function toNeurolink(messages: readonly OpenaiMessage[]): ConversationMembers {
  const written: object[] = []
  const add = (message: object): void => {
    written.push({ id: `message-${written.length}`, ...message })
  }
  for (const { role, content, tool_calls = [], tool_call_id } of messages) {
    if (role === 'tool') add({ role: 'tool_result', toolCallId: tool_call_id, content })
    else if (content !== null) add({ role, content })
    for (const { id, function: call } of tool_calls) {
      const args = JSON.parse(call.arguments) as object
      add({ role: 'tool_call', content: '', tool: call.name, toolCallId: id, args })
    }
  }
  return { format: 'neurolink', messages: written }
}
