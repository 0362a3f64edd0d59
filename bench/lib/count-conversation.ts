import type { getEncoding as GetEncoding } from '../../src/tokens/encoding.ts'
import { builtModule } from './built-service.ts'
import type { OpenaiMessage } from './tool-conversation.ts'

/** As the service counts around each message of openai-chat. */
const FRAMING_TOKENS = 4

/** Exact o200k_base tokens of a conversation. The service has to be built. */
export async function createConversationCounter(): Promise<
  (messages: readonly OpenaiMessage[]) => number
> {
  const { getEncoding } = (await import(builtModule('tokens/encoding.ts'))) as {
    getEncoding: typeof GetEncoding
  }
  const { countTokens } = getEncoding('o200k_base')
  return (messages) => {
    let tokens = 0
    for (const { content, tool_calls } of messages) {
      tokens += FRAMING_TOKENS + (content === null ? 0 : countTokens(content))
      for (const { function: call } of tool_calls ?? []) {
        tokens += countTokens(`${call.name}(${call.arguments})`)
      }
    }
    return tokens
  }
}
