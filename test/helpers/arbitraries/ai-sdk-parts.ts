import { TINY_PNG } from './media.ts'
import { createRandom } from './random.ts'
import type { RoundSketch, SaySketch } from './scenario.ts'
import { writeText } from './texts.ts'
import type { JsonObject } from './types.ts'

export interface AiSdkParts {
  readonly request: (say: SaySketch) => unknown
  readonly answer: (say: SaySketch) => unknown
  readonly reasoning: (source: SaySketch | RoundSketch) => JsonObject[]
  /** Opaque text as a provider seals it, another one each time. */
  readonly seal: () => string
}

/** Writes the content of user and assistant messages; counts seals and ids of one conversation. */
export function createAiSdkParts(): AiSdkParts {
  let count = 0

  const seal = () => {
    const random = createRandom(count++)
    const letters = Array.from({ length: 40 }, () => random.below(36).toString(36)).join('')
    return `Eq${count}${letters}==`
  }

  const text = ({ text: sketch, style }: SaySketch) => ({
    type: 'text',
    text: writeText(sketch),
    ...style.partExtra,
  })

  const reasoning = ({ style }: SaySketch | RoundSketch): JsonObject[] => {
    const said = `Step ${count}: compare both options before acting.`
    const part = (words: string, providerOptions: JsonObject) => ({
      type: 'reasoning',
      text: words,
      providerOptions,
      ...style.partExtra,
    })
    switch (style.thinking) {
      case 'none':
        return []
      case 'thinking':
        return [part(said, { anthropic: { signature: seal() } })]
      case 'redacted':
        return [part('', { anthropic: { redactedData: seal() } })]
      case 'both': {
        if (style.named) {
          const image = { type: 'reasoning-file', mediaType: 'image/png', data: TINY_PNG }
          const options = { google: { thoughtSignature: seal() } }
          return [part(said, options), { ...image, providerOptions: options }]
        }
        // Two summaries of one reasoning item of OpenAI's Responses.
        const openai = { itemId: `rs_${count}`, reasoningEncryptedContent: seal() }
        return [part(said, { openai }), part('Then act.', { openai })]
      }
    }
  }

  const request = (say: SaySketch) => {
    const { style } = say
    const part = text(say)
    switch (style.shape) {
      case 'string':
        return writeText(say.text)
      case 'parts':
        return [part]
      case 'many-parts':
        return [{ type: 'text', text: 'Context:' }, part]
      case 'image':
        return [
          style.named
            ? { type: 'file', mediaType: 'image/png', data: TINY_PNG, ...style.partExtra }
            : { type: 'image', image: TINY_PNG, mediaType: 'image/png', ...style.partExtra },
          part,
        ]
      case 'unknown-part':
        return [{ type: 'x_widget', state: { open: true }, ...style.partExtra }, part]
      case 'special':
        return [
          part,
          style.named
            ? {
                type: 'file',
                mediaType: 'text/plain',
                data: { type: 'text', text: 'Notes of the day.' },
              }
            : {
                type: 'file',
                mediaType: 'application/pdf',
                filename: 'a.pdf',
                data: 'JVBERi0xLjQK',
              },
        ]
    }
  }

  /** A call that ran at the provider, and what came of it: both written by the assistant. */
  const search = (): JsonObject[] => {
    const toolCallId = `srvtoolu_${count++}`
    const named = { toolCallId, toolName: 'web_search', providerExecuted: true }
    return [
      { type: 'tool-call', ...named, input: { query: 'retry' } },
      { type: 'tool-result', ...named, output: { type: 'json', value: [{ title: 'Retry' }] } },
    ]
  }

  const special = ({ style }: SaySketch): JsonObject[] => {
    if (!style.named) return search()
    const providerOptions = { openai: { itemId: `cmp_${count}`, encryptedContent: seal() } }
    return [{ type: 'custom', kind: 'openai.compaction', providerOptions }]
  }

  const answer = (say: SaySketch) => {
    const thoughts = reasoning(say)
    const part = text(say)
    const { style } = say
    switch (style.shape) {
      case 'special':
        return [...thoughts, ...special(say), part]
      case 'unknown-part':
        return [...thoughts, part, { type: 'x_note', ...style.partExtra }]
      case 'many-parts':
        return [...thoughts, { type: 'text', text: 'First:' }, part]
      case 'image':
        return [...thoughts, part, { type: 'file', mediaType: 'image/png', data: TINY_PNG }]
      case 'parts':
        return [...thoughts, { ...part, providerOptions: { openai: { itemId: `msg_${count}` } } }]
      default:
        return thoughts.length > 0 ? [...thoughts, part] : writeText(say.text)
    }
  }

  return { request, answer, reasoning, seal }
}
