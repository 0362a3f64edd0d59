/** A picture in the user's message, as each format writes it. `base64` is its file. */
import type { JsonObject } from '../../../src/engine/transcript.ts'
import type { FieldFormat } from './dialects.ts'

type Picture = (base64: string, text: string) => JsonObject

export const PICTURES: Readonly<Record<FieldFormat, Picture>> = {
  'openai-chat': (data, text) => ({
    role: 'user',
    content: [
      { type: 'text', text },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
    ],
  }),
  'anthropic-messages': (data, text) => ({
    role: 'user',
    content: [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
      { type: 'text', text },
    ],
  }),
  'openai-responses': (data, text) => ({
    role: 'user',
    content: [
      { type: 'input_text', text },
      { type: 'input_image', image_url: `data:image/png;base64,${data}`, detail: 'auto' },
    ],
  }),
  gemini: (data, text) => ({
    role: 'user',
    parts: [{ text }, { inlineData: { mimeType: 'image/png', data } }],
  }),
  'ai-sdk': (data, text) => ({
    role: 'user',
    content: [
      { type: 'text', text },
      { type: 'file', mediaType: 'image/png', data },
    ],
  }),
}
