import type { CallSketch } from './calls.ts'
import { TINY_PNG } from './media.ts'
import { createRandom } from './random.ts'
import type { RoundSketch, SaySketch, Style } from './scenario.ts'
import { writeText } from './texts.ts'
import type { JsonObject } from './types.ts'

export interface Blocks {
  readonly text: (say: SaySketch) => JsonObject
  readonly request: (say: SaySketch) => unknown
  readonly answer: (say: SaySketch) => unknown
  readonly thinking: (source: SaySketch | RoundSketch) => JsonObject[]
  readonly result: (call: CallSketch) => JsonObject
  /** The block with a cache breakpoint, if the style asks for one and one of the four is left. */
  readonly cached: (block: JsonObject, style: Style) => JsonObject
}

const IMAGE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: TINY_PNG } }

/** Writes content blocks; counts signatures, server calls and breakpoints of one conversation. */
export function createBlocks(): Blocks {
  let breakpointsLeft = 4
  let count = 0

  const text = ({ text: sketch, style }: SaySketch) => ({
    type: 'text',
    text: writeText(sketch),
    ...style.partExtra,
  })

  const cached = (block: JsonObject, style: Style) => {
    if (!style.cached || breakpointsLeft === 0) return block
    breakpointsLeft -= 1
    return { ...block, cache_control: { type: 'ephemeral' } }
  }

  const thinking = ({ style }: SaySketch | RoundSketch) => {
    const seal = (prefix: string) => {
      const random = createRandom(count++)
      const letters = Array.from({ length: 40 }, () => random.below(36).toString(36)).join('')
      return `${prefix}${count}${letters}==`
    }
    const open = () => ({
      type: 'thinking',
      thinking: `Step ${count}: compare both options before acting.`,
      signature: seal('Eq'),
      ...style.partExtra,
    })
    const closed = () => ({ type: 'redacted_thinking', data: seal('Em') })
    switch (style.thinking) {
      case 'none':
        return []
      case 'thinking':
        return [open()]
      case 'redacted':
        return [closed()]
      case 'both':
        return [open(), closed()]
    }
  }

  const request = (say: SaySketch) => {
    if (say.style.shape === 'string') return writeText(say.text)
    const block = cached(text(say), say.style)
    switch (say.style.shape) {
      case 'parts':
        return [block]
      case 'many-parts':
        return [{ type: 'text', text: 'Context:' }, block]
      case 'image':
        return [{ ...IMAGE, ...say.style.partExtra }, block]
      case 'unknown-part':
        return [{ type: 'x_widget', state: { open: true }, ...say.style.partExtra }, block]
      case 'special':
        return [
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a' } },
          block,
        ]
    }
  }

  const answer = (say: SaySketch) => {
    const thoughts = thinking(say)
    const block = text(say)
    switch (say.style.shape) {
      case 'special': {
        const id = `srvtoolu_${count++}`
        const query = { type: 'server_tool_use', id, name: 'web_search', input: { query: 'retry' } }
        const found = { type: 'web_search_tool_result', tool_use_id: id, content: [] }
        return [...thoughts, query, found, block]
      }
      case 'unknown-part':
        return [...thoughts, block, { type: 'x_note', ...say.style.partExtra }]
      case 'many-parts':
        return [...thoughts, { type: 'text', text: 'First:' }, block]
      case 'parts':
        return [...thoughts, block]
      default:
        return thoughts.length > 0 ? [...thoughts, block] : writeText(say.text)
    }
  }

  const result = ({ output, shape, failed }: CallSketch): JsonObject => {
    const error = failed ? { is_error: true } : {}
    switch (shape) {
      case 'text':
        return { content: output, ...error }
      case 'parts':
        return { content: [{ type: 'text', text: output }], ...error }
      case 'image':
        return { content: [{ type: 'text', text: output }, IMAGE] }
      case 'nothing':
        return {}
    }
  }

  return { text, request, answer, thinking, result, cached }
}
