import type { DecisionDocument, DecisionState, Question } from '../engine/ports.ts'
import type { CountTokens } from '../engine/transcript.ts'
import { shortenText } from './shorten-text.ts'
import type { PackedState, WireLimits, WireRendering } from './wires/wire.ts'

/** Speakers are the caller's words too, and name nobody in more than this. */
const MAX_SPEAKER_CHARS = 64
/** About what a document holds beside its text. */
const FRAME_CHARS = 40

export interface StateSizerOptions {
  readonly state: DecisionState
  readonly documents: readonly DecisionDocument[]
  readonly maxFieldChars: number
  /** Longest preview of a message of the recent window. */
  readonly recentChars: number
  readonly rendering: WireRendering
  readonly limits: WireLimits
  readonly countTokens: CountTokens
}

/** Tokens that a document adds to a state in which previews have the given length. */
export type DocumentTokens = (number: number, previewChars: number) => number

/** Builds states whose previews have a given length, and knows their size without building them. */
export interface StateSizer {
  /** A request before its documents and questions: the server's own, fields, recent window. */
  readonly baseTokens: number
  readonly documentTokens: DocumentTokens
  /** From the last count of the same document; costs nothing, and is near when it was near. */
  readonly estimateDocumentTokens: DocumentTokens
  readonly questionTokens: (question: Question) => number
  /** @param numbers of documents, in any order */
  readonly build: (numbers: Iterable<number>, previewChars: number) => PackedState
}

export function createStateSizer(options: StateSizerOptions): StateSizer {
  const { documents, rendering, limits, countTokens } = options
  const fields = Object.entries(options.state.fields).map(
    ([name, text]): readonly [string, string] => [name, shortenText(text, options.maxFieldChars)],
  )
  const recent = options.state.recent.map((document) => preview(document, options.recentChars))
  // An empty document stands for the frame that documents need.
  const frame: DecisionDocument = { id: '', role: 'user', text: '' }
  const base = rendering.stateText({ fields, recent, documents: [frame] })
  const lastCount = new Map<number, { readonly tokens: number; readonly chars: number }>()

  const documentTokens: DocumentTokens = (number, previewChars) => {
    const document = documents[number]
    if (document === undefined) return 0
    const chars = Math.min(previewChars, document.text.length)
    const last = lastCount.get(number)
    if (last?.chars === chars) return last.tokens
    // One more for what a counter may find where two pieces meet.
    const tokens = countTokens(rendering.documentText(preview(document, chars))) + 1
    lastCount.set(number, { tokens, chars })
    return tokens
  }

  return {
    baseTokens: limits.requestOverheadTokens + countTokens(base),
    documentTokens,
    estimateDocumentTokens: (number, previewChars) => {
      const last = lastCount.get(number)
      if (last === undefined) return documentTokens(number, previewChars)
      const chars = Math.min(previewChars, documents[number]?.text.length ?? 0)
      return Math.ceil((last.tokens * (chars + FRAME_CHARS)) / (last.chars + FRAME_CHARS))
    },
    questionTokens: (question) =>
      countTokens(rendering.questionText(question)) + limits.questionOverheadTokens,
    build: (numbers, previewChars) => ({
      fields,
      recent,
      documents: [...numbers]
        .toSorted((a, b) => a - b)
        .flatMap((number) => documents[number] ?? [])
        .map((document) => preview(document, previewChars)),
    }),
  }
}

function preview(document: DecisionDocument, chars: number): DecisionDocument {
  const { id, role, speaker } = document
  const text = shortenText(document.text, chars)
  return speaker === undefined
    ? { id, role, text }
    : { id, role, speaker: shortenText(speaker, MAX_SPEAKER_CHARS), text }
}
