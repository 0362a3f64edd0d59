import type { compactConversation as CompactConversation } from '../../src/conversation/compact-conversation.ts'
import type { ConversationServices } from '../../src/conversation/services.ts'
import { DEFAULT_LOW_WATER } from '../../src/conversation/steps/settings.ts'
import { createStepMemo } from '../../src/conversation/steps/step-memo.ts'
import type { createEmbeddedDecider as CreateEmbeddedDecider } from '../../src/decide/embedded/embedded-decider.ts'
import type { JsonValue } from '../../src/engine/transcript.ts'
import type { createTokenCounters as CreateTokenCounters } from '../../src/tokens/token-counter.ts'
import type { createWindowTable as CreateWindowTable } from '../../src/tokens/windows.ts'
import { builtModule } from '../lib/built-service.ts'
import type { OpenaiMessage } from '../lib/tool-conversation.ts'
import type { Contestant, Task } from './peer.ts'

const CACHE_BYTES = 64 * 1024 * 1024

/** The engine and all around it that reads, edits and checks a conversation; no HTTP, as for the peers. */
export async function precisContestants({ messages, target }: Task): Promise<Contestant[]> {
  const { compactConversation } = (await import(
    builtModule('conversation/compact-conversation.ts')
  )) as { compactConversation: typeof CompactConversation }
  const { createTokenCounters } = (await import(builtModule('tokens/token-counter.ts'))) as {
    createTokenCounters: typeof CreateTokenCounters
  }
  const { createWindowTable } = (await import(builtModule('tokens/windows.ts'))) as {
    createWindowTable: typeof CreateWindowTable
  }
  const { createEmbeddedDecider } = (await import(
    builtModule('decide/embedded/embedded-decider.ts')
  )) as { createEmbeddedDecider: typeof CreateEmbeddedDecider }

  const contestant = (
    name: string,
    cacheBytes: number,
    decide: ConversationServices['decide'],
  ): Contestant => {
    const services: ConversationServices = {
      counters: createTokenCounters({ cacheBytes }),
      windows: createWindowTable({ overrides: {} }),
      decide,
      summarize: undefined,
      defaultProfile: 'neurolink',
      defaultOptions: undefined,
      lowWater: DEFAULT_LOW_WATER,
      stepMemo: createStepMemo(0),
      maxMessages: 100_000,
    }
    const { signal } = new AbortController()
    const request = {
      format: 'openai-chat' as const,
      model: 'gpt-4o',
      targetTokens: target,
      messages: messages as unknown as JsonValue[],
    }
    return {
      name: `Precis, ${name}`,
      isOurs: true,
      rounds: 9,
      run: () => compactConversation(request, services, { signal, modelSignal: signal }),
      toOpenai: (result) => (result as { messages: OpenaiMessage[] }).messages,
    }
  }
  return [
    contestant('positional stages, counts cached', CACHE_BYTES, undefined),
    contestant('embedded model too, counts cached', CACHE_BYTES, createEmbeddedDecider()),
    contestant('positional stages, every text counted', 0, undefined),
  ]
}
