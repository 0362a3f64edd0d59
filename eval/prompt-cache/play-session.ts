/** A session against a provider that caches prompts, with Precis in between or without. */
import { compactConversation } from '../../src/conversation/compact-conversation.ts'
import { readConversation } from '../../src/conversation/read-conversation.ts'
import type { ConversationServices } from '../../src/conversation/services.ts'
import { requestPoints } from '../../src/conversation/steps/request-points.ts'
import { entryTokens, type JsonValue } from '../../src/engine/transcript.ts'
import { createProviderCache, type Message, type Usage } from './provider-cache.ts'
import type { CacheSession } from './sessions.ts'

export type Way =
  | { readonly kind: 'none'; readonly hasWindow: boolean }
  | { readonly kind: 'each-turn' }
  | { readonly kind: 'steps'; readonly lowWater: number }

export interface TurnRecord extends Usage {
  /** Tokens that the client posted, and that went to the provider. */
  readonly posted: number
  readonly sent: number
  /** The turn was compacted beyond what the turn before was. */
  readonly isCompaction: boolean
  /** All that the turn before sent stands at the beginning of what this one sends, byte for byte. */
  readonly goesOn: boolean
  /** Messages of the history that are gone, and that say less than they did. */
  readonly dropped: number
  readonly rewritten: number
}

export interface Played {
  readonly turns: readonly TurnRecord[]
  /** The turn that the window refused; undefined where the session came to its end. */
  readonly failedAt: number | undefined
}

interface Sent {
  readonly messages: readonly JsonValue[]
  readonly compactions: number
  readonly dropped: number
  readonly rewritten: number
}

export async function playSession(
  session: CacheSession,
  way: Way,
  windowTokens: number,
  services: ConversationServices,
): Promise<Played> {
  const { transcript } = read(session, session.messages, services)
  const { instructionsTokens, toolsTokens, framingTokens } = transcript.beside
  const besideTokens = instructionsTokens + toolsTokens + framingTokens
  const cache = createProviderCache(besideTokens)
  const turns: TurnRecord[] = []
  let before: { readonly texts: readonly string[]; readonly compactions: number } | undefined
  for (const point of requestPoints(transcript.entries)) {
    const history = session.messages.slice(0, point + 1)
    const posted = transcript.entries
      .slice(0, point + 1)
      .reduce((sum, entry) => sum + entryTokens(entry), besideTokens)
    if (way.kind === 'none' && way.hasWindow && posted > windowTokens) {
      return { turns, failedAt: turns.length + 1 }
    }
    const sent = await send(session, history, way, windowTokens, services)
    const messages = weigh(session, sent.messages, services)
    const texts = messages.map(({ text }) => text)
    turns.push({
      ...cache.send(messages),
      posted,
      sent: messages.reduce((sum, { tokens }) => sum + tokens, besideTokens),
      isCompaction: sent.compactions > 0 && sent.compactions !== before?.compactions,
      goesOn: before?.texts.every((text, index) => texts[index] === text) ?? true,
      dropped: sent.dropped,
      rewritten: sent.rewritten,
    })
    before = { texts, compactions: way.kind === 'each-turn' ? 0 : sent.compactions }
  }
  return { turns, failedAt: undefined }
}

async function send(
  { format, beside }: CacheSession,
  messages: readonly JsonValue[],
  way: Way,
  windowTokens: number,
  services: ConversationServices,
): Promise<Sent> {
  if (way.kind === 'none') return { messages, compactions: 0, dropped: 0, rewritten: 0 }
  const { signal } = new AbortController()
  const { report, steps, ...result } = await compactConversation(
    {
      ...beside,
      format,
      messages,
      targetTokens: windowTokens,
      ...(way.kind === 'steps' && { lowWater: way.lowWater }),
    },
    services,
    { signal, modelSignal: signal },
  )
  const count = (what: string) => report.actions.filter(({ action }) => action === what).length
  return {
    messages: result.messages,
    compactions: steps?.taken ?? (report.outcome === 'unchanged' ? 0 : 1),
    dropped: count('dropped'),
    rewritten: count('rewritten'),
  }
}

function weigh(
  session: CacheSession,
  messages: readonly JsonValue[],
  services: ConversationServices,
): Message[] {
  const { transcript } = read(session, messages, services)
  return transcript.entries.map((entry, index) => ({
    text: JSON.stringify(messages[index]),
    tokens: entryTokens(entry),
  }))
}

/** Tokens of the whole session, by the counter of its model. */
export function wholeTokens(session: CacheSession, services: ConversationServices): number {
  const { entries, beside } = read(session, session.messages, services).transcript
  const { instructionsTokens, toolsTokens, framingTokens } = beside
  return entries.reduce(
    (sum, entry) => sum + entryTokens(entry),
    instructionsTokens + toolsTokens + framingTokens,
  )
}

function read(
  { format, beside }: CacheSession,
  messages: readonly JsonValue[],
  services: ConversationServices,
) {
  return readConversation({ ...beside, format, messages }, services)
}
