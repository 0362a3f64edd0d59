import { TINY_PNG } from './media.ts'
import { createRandom } from './random.ts'
import type { SaySketch, Style } from './scenario.ts'
import { writeText } from './texts.ts'
import type { JsonObject } from './types.ts'

export interface GeminiParts {
  /** The member's name as the conversation spells it. */
  readonly name: (camelCase: string) => string
  readonly text: (say: SaySketch) => JsonObject
  readonly request: (say: SaySketch) => JsonObject[]
  readonly answer: (say: SaySketch) => JsonObject[]
  /** What the model thought aloud, where the style has it do so. */
  readonly thoughts: (style: Style) => JsonObject[]
  /** The part with a signature, where the style has it sign. */
  readonly signed: (part: JsonObject, style: Style) => JsonObject
  readonly signature: () => string
  readonly png: () => JsonObject
}

/** Writes parts; counts the signatures of one conversation. `mixed` takes turns in spelling. */
export function createGeminiParts(spelling: 'camel' | 'snake' | 'mixed'): GeminiParts {
  let count = 0
  let spelled = 0

  const snakeOf = (camelCase: string) =>
    camelCase.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

  const name = (camelCase: string) => {
    spelled += 1
    const isSnake = spelling === 'snake' || (spelling === 'mixed' && spelled % 2 === 0)
    return isSnake ? snakeOf(camelCase) : camelCase
  }

  const signature = () => {
    const random = createRandom(count++)
    const letters = Array.from({ length: 40 }, () => random.below(36).toString(36)).join('')
    return `Ci${count}${letters}==`
  }

  const signed = (part: JsonObject, style: Style) =>
    style.thinking === 'none' ? part : { ...part, [name('thoughtSignature')]: signature() }

  const thoughts = (style: Style) => {
    if (style.thinking !== 'thinking' && style.thinking !== 'both') return []
    const thought = {
      text: `Step ${count}: compare both options before acting.`,
      thought: true,
      ...style.partExtra,
    }
    return [style.thinking === 'both' ? signed(thought, style) : thought]
  }

  const png = () => ({ [name('inlineData')]: { [name('mimeType')]: 'image/png', data: TINY_PNG } })

  const text = ({ text: sketch, style }: SaySketch) => ({
    text: writeText(sketch),
    ...style.partExtra,
  })

  const file = () => ({
    [name('fileData')]: {
      [name('mimeType')]: 'application/pdf',
      [name('fileUri')]: 'https://generativelanguage.googleapis.com/v1beta/files/abc-123',
    },
  })

  const request = (say: SaySketch): JsonObject[] => {
    switch (say.style.shape) {
      case 'string':
      case 'parts':
        return [text(say)]
      case 'many-parts':
        return [{ text: 'Context:' }, text(say)]
      case 'image':
        return [{ ...png(), ...say.style.partExtra }, text(say)]
      case 'unknown-part':
        return [{ x_widget: { open: true }, ...say.style.partExtra }, text(say)]
      case 'special':
        return [
          say.style.cached
            ? { ...file(), [name('videoMetadata')]: { [name('startOffset')]: '2s' } }
            : file(),
          text(say),
        ]
    }
  }

  const code = (style: Style): JsonObject[] => {
    const id = style.extraFirst ? { id: `code_${count++}` } : {}
    const result = (output: string) => ({
      [name('codeExecutionResult')]: { ...id, outcome: 'OUTCOME_OK', output },
    })
    return [
      { [name('executableCode')]: { ...id, language: 'PYTHON', code: 'print(sum(range(9)))' } },
      ...(style.named ? [{ text: 'Let it run.', thought: true }] : []),
      result('36\n'),
      ...(style.cached ? [result('')] : []),
    ]
  }

  const search = (): JsonObject[] => {
    const id = `srv_${count++}`
    const toolType = { [name('toolType')]: 'GOOGLE_SEARCH_WEB' }
    return [
      { [name('toolCall')]: { id, ...toolType, args: { queries: ['retry'] } } },
      { [name('toolResponse')]: { id, ...toolType, response: { results: [] } } },
    ]
  }

  const answer = (say: SaySketch): JsonObject[] => {
    const { style } = say
    // An answer of a model that does not think: what is most often judged for relevance.
    if (style.shape === 'string' && style.thinking === 'redacted') return [text(say)]
    const before = thoughts(style)
    // The signature comes with the last part; in a stream, with an empty text behind it.
    const last =
      style.thinking === 'redacted'
        ? [text(say), signed({ text: '' }, style)]
        : [signed(text(say), style)]
    switch (style.shape) {
      case 'many-parts':
        return [...before, { text: 'First:' }, ...last]
      case 'image':
        return [...before, png(), ...last]
      case 'unknown-part':
        return [...before, { x_note: { pinned: false }, ...style.partExtra }, ...last]
      case 'special':
        return [...before, ...(style.named ? search() : code(style)), ...last]
      default:
        return [...before, ...last]
    }
  }

  return { name, text, request, answer, thoughts, signed, signature, png }
}
