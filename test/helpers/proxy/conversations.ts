/** Requests as the official clients write them, of any length. */

const SENTENCE =
  'The shipment left the northern warehouse and nobody has asked about it since then. '

export interface TurnText {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

/** An odd number of turns, the user's first and last; about `words` x 15 tokens each. */
export function turns(count: number, sentences = 12): readonly TurnText[] {
  return Array.from({ length: count * 2 + 1 }, (_, index) => ({
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    text: `Turn ${index}. ${index === count * 2 ? 'Where is it now?' : SENTENCE.repeat(sentences)}`,
  }))
}

export const REQUESTS = {
  'openai-chat': {
    path: '/v1/chat/completions',
    list: 'messages',
    body: (count: number) => ({
      model: 'gpt-4o',
      messages: turns(count).map(({ role, text }) => ({ role, content: text })),
    }),
  },
  'openai-responses': {
    path: '/v1/responses',
    list: 'input',
    body: (count: number) => ({
      model: 'gpt-4o',
      instructions: 'Answer briefly.',
      input: turns(count).map(({ role, text }) => ({ role, content: text })),
    }),
  },
  'anthropic-messages': {
    path: '/v1/messages',
    list: 'messages',
    body: (count: number) => ({
      model: 'claude-sonnet-4-5',
      max_tokens: 1_000,
      system: 'Answer briefly.',
      messages: turns(count).map(({ role, text }) => ({ role, content: text })),
    }),
  },
  gemini: {
    path: '/v1beta/models/gemini-2.5-pro:generateContent',
    list: 'contents',
    body: (count: number) => ({
      systemInstruction: { parts: [{ text: 'Answer briefly.' }] },
      contents: turns(count).map(({ role, text }) => ({
        role: role === 'user' ? 'user' : 'model',
        parts: [{ text }],
      })),
    }),
  },
} as const

export type ProxiedFormat = keyof typeof REQUESTS
export const PROXIED_FORMATS = Object.keys(REQUESTS) as ProxiedFormat[]
