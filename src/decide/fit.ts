import type { DecideRequest } from '../engine/ports.ts'
import type { CountTokens } from '../engine/transcript.ts'
import { createPacker, type SizedQuestion } from './packer.ts'
import { MAX_PREVIEW_CHARS } from './preview-length.ts'
import { type Selection, selectQuestions } from './select-questions.ts'
import { createStateSizer } from './state-sizer.ts'
import type { PackedRequest, WireLimits, WireRendering } from './wires/wire.ts'

/** Below this a preview says too little: the batch is split instead. */
const MIN_PREVIEW_CHARS = 160
/** Questions that need every document cannot be split, so their previews may become shorter still. */
const MIN_PREVIEW_CHARS_UNSPLIT = 80
const MAX_FIELD_CHARS = 4_000
/** The gate judges a whole summary; this many characters of it are the seeds' number. */
const MAX_GATE_FIELD_CHARS = 12_000

export type FitRequest = Pick<DecideRequest, 'site' | 'questions' | 'state'>

export interface FitOptions {
  readonly limits: WireLimits
  /** Most questions over all requests. What is left out is about the newest documents. */
  readonly maxQuestions: number
  readonly rendering: WireRendering
  readonly countTokens: CountTokens
}

export interface FitResult {
  readonly requests: readonly PackedRequest[]
  readonly notAsked: number
}

/**
 * Packs questions and the texts that they are about into as few requests as the limits allow: first
 * by shortening previews, then by splitting. Every request carries the fields and the recent window,
 * and of the documents only those that its own questions are about; a question about none of them
 * needs them all. Previews of one call have one length, so that its answers can be compared. The
 * recent window is shortened only where something could not be asked otherwise.
 *
 * Linear in the number of texts: of each, at most a preview is counted, and a few times at most.
 */
export function fitRequests(request: FitRequest, options: FitOptions): FitResult {
  const selection = selectQuestions(request, options.maxQuestions)
  if (selection.questions.length === 0) return { requests: [], notAsked: selection.notAsked }
  const full = packSelection(request, selection, options, MAX_PREVIEW_CHARS)
  if (full.notAsked === selection.notAsked) return full
  const shortened = packSelection(request, selection, options, MIN_PREVIEW_CHARS)
  return shortened.notAsked < full.notAsked ? shortened : full
}

function packSelection(
  { site, state }: FitRequest,
  selection: Selection,
  options: FitOptions,
  recentChars: number,
): FitResult {
  const sizer = createStateSizer({
    ...options,
    state,
    documents: selection.documents,
    maxFieldChars: site === 'summary-gate' ? MAX_GATE_FIELD_CHARS : MAX_FIELD_CHARS,
    recentChars,
  })
  const packer = createPacker(sizer, options.limits)
  const questions = selection.questions.map(
    (selected): SizedQuestion => ({
      ...selected,
      tokens: sizer.questionTokens(selected.question),
    }),
  )
  const documents = new Set(selection.documents.keys())
  const unsplit = questions.filter(({ needs }) => needs === 'all')
  const apart = questions.filter(({ needs }) => needs !== 'all')
  if (unsplit.length > 0 && apart.length > 0) {
    const together = packer.together({ questions, documents }, MIN_PREVIEW_CHARS)
    if (together !== undefined) return { requests: [together], notAsked: selection.notAsked }
  }

  const requests: PackedRequest[] = []
  let { notAsked } = selection
  for (const chunk of chunks(unsplit, options.limits.maxQuestionsPerRequest)) {
    const packed = packer.together({ questions: chunk, documents }, MIN_PREVIEW_CHARS_UNSPLIT)
    if (packed === undefined) notAsked += chunk.length
    else requests.push(packed)
  }
  const split = packer.split(apart, MIN_PREVIEW_CHARS)
  return {
    requests: [...requests, ...split.requests],
    notAsked: notAsked + split.skipped,
  }
}

function* chunks<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}
