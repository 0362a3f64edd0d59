import type fc from 'fast-check'
import { writeAnthropicMessages } from '../../helpers/arbitraries/anthropic-messages.ts'
import type { ConversationPayload, ConversationSize } from '../../helpers/arbitraries/index.ts'
import { writeNeurolink } from '../../helpers/arbitraries/neurolink.ts'
import { writeOpenaiChat } from '../../helpers/arbitraries/openai-chat.ts'
import { scenario } from '../../helpers/arbitraries/scenario.ts'
import type { WireFormat } from '../../helpers/wire-rules/index.ts'

const WRITERS = {
  'openai-chat': writeOpenaiChat,
  'anthropic-messages': writeAnthropicMessages,
  neurolink: writeNeurolink,
} as const

/** A conversation that begins with a request and ends with an answer, so that another may follow it. */
export function closedConversation(
  format: WireFormat,
  size: ConversationSize,
): fc.Arbitrary<ConversationPayload> {
  return scenario(size).map((sketch) =>
    WRITERS[format]({
      ...sketch,
      tail: 'answer',
      opening: { ...sketch.opening, system: 'none', summary: false, skill: false, marker: false },
    }),
  )
}

/** The conversation twice in a row. The second time its messages and calls have ids of their own. */
export function doubled(payload: ConversationPayload): ConversationPayload {
  const again = JSON.stringify(payload.messages).replace(
    /"((?:m|call)-|call_|toolu_|srvtoolu_)(\d+)"/g,
    '"$1$2b"',
  )
  return { ...payload, messages: [...payload.messages, ...JSON.parse(again)] }
}
