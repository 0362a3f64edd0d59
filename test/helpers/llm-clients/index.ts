import { aiSdkAnthropicClient, aiSdkChatClient, aiSdkResponsesClient } from './ai-sdk-client.ts'
import { anthropicClient } from './anthropic-client.ts'
import { googleClient } from './google-client.ts'
import { langchainClient } from './langchain-client.ts'
import type { LlmClient } from './llm-client.ts'
import { openaiChatClient } from './openai-chat-client.ts'
import { openaiResponsesClient } from './openai-responses-client.ts'

export const LLM_CLIENTS: readonly LlmClient[] = [
  openaiChatClient,
  openaiResponsesClient,
  anthropicClient,
  googleClient,
  aiSdkChatClient,
  aiSdkResponsesClient,
  aiSdkAnthropicClient,
  langchainClient,
]
