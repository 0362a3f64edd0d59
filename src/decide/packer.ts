import { findPreviewLength } from './preview-length.ts'
import type { SelectedQuestion } from './select-questions.ts'
import type { DocumentTokens, StateSizer } from './state-sizer.ts'
import type { PackedRequest, WireLimits } from './wires/wire.ts'

export interface SizedQuestion extends SelectedQuestion {
  readonly tokens: number
}

interface Group {
  readonly questions: readonly SizedQuestion[]
  /** Numbers of documents. */
  readonly documents: ReadonlySet<number>
}

export interface Packer {
  /**
   * One request with all that the group holds, previews as long as they can be; undefined when it is
   * too large even with previews of `floor`.
   */
  readonly together: (group: Group, floor: number) => PackedRequest | undefined
  /**
   * As few requests as previews of `floor` allow, then previews as long as these requests allow.
   * Each has the documents of its own questions. `skipped` counts questions that fit into none.
   */
  readonly split: (
    questions: readonly SizedQuestion[],
    floor: number,
  ) => { readonly requests: readonly PackedRequest[]; readonly skipped: number }
}

export function createPacker(sizer: StateSizer, limits: WireLimits): Packer {
  const { documentTokens, estimateDocumentTokens } = sizer
  const empty: Load = { state: sizer.baseTokens, longestQuestion: 0, allQuestions: 0, count: 0 }
  const toRequest = ({ questions, documents }: Group, chars: number): PackedRequest => ({
    questions: questions.map(({ question }) => question),
    state: sizer.build(documents, chars),
  })

  /** Stops counting as soon as the answer is known, however many documents follow. */
  const fits = (group: Group, chars: number, tokensOf: DocumentTokens): boolean => {
    let load = empty
    for (const { tokens } of group.questions) load = addQuestion(load, tokens, 0)
    for (const number of group.documents) {
      if (!takes(load, limits)) return false
      load = { ...load, state: load.state + tokensOf(number, chars) }
    }
    return takes(load, limits) && fitsPrompt(load, limits)
  }

  /** Fills one request after the other, in the order of the questions. */
  const partition = (
    questions: readonly SizedQuestion[],
    chars: number,
    tokensOf: DocumentTokens,
  ): { readonly groups: readonly Group[]; readonly skipped: number } => {
    const groups: Group[] = []
    let skipped = 0
    let load = empty
    let taken: SizedQuestion[] = []
    let documents = new Set<number>()
    for (const item of questions) {
      const number = typeof item.needs === 'number' ? item.needs : undefined
      const tokens = number === undefined ? 0 : tokensOf(number, chars)
      const alone = addQuestion(empty, item.tokens, tokens)
      if (!takes(alone, limits) || !fitsPrompt(alone, limits)) {
        skipped += 1
        continue
      }
      const shown = number === undefined || documents.has(number)
      const grown = addQuestion(load, item.tokens, shown ? 0 : tokens)
      if (takes(grown, limits)) {
        load = grown
      } else {
        groups.push({ questions: taken, documents })
        taken = []
        documents = new Set()
        load = alone
      }
      taken.push(item)
      if (number !== undefined) documents.add(number)
    }
    if (taken.length > 0) groups.push({ questions: taken, documents })
    return { groups, skipped }
  }

  return {
    together: (group, floor) => {
      const chars = findPreviewLength(
        floor,
        (length) => fits(group, length, documentTokens),
        (length) => fits(group, length, estimateDocumentTokens),
      )
      return chars === undefined ? undefined : toRequest(group, chars)
    },
    split: (questions, floor) => {
      let best = { ...partition(questions, floor, documentTokens), chars: floor }
      const least = best
      const noWorse = ({ groups, skipped }: ReturnType<typeof partition>) =>
        groups.length <= least.groups.length && skipped <= least.skipped
      findPreviewLength(
        floor,
        (length) => {
          const found = { ...partition(questions, length, documentTokens), chars: length }
          if (!noWorse(found)) return false
          best = found
          return true
        },
        (length) => noWorse(partition(questions, length, estimateDocumentTokens)),
      )
      return {
        requests: best.groups.map((group) => toRequest(group, best.chars)),
        skipped: best.skipped,
      }
    },
  }
}

/** What a request holds so far, in tokens. */
interface Load {
  readonly state: number
  readonly longestQuestion: number
  readonly allQuestions: number
  readonly count: number
}

function addQuestion(load: Load, tokens: number, documentTokens: number): Load {
  return {
    state: load.state + documentTokens,
    longestQuestion: Math.max(load.longestQuestion, tokens),
    allQuestions: load.allQuestions + tokens,
    count: load.count + 1,
  }
}

/** @param load of one prompt: one question with its document, or questions that need the whole state */
function fitsPrompt(load: Load, { maxPromptTokens }: WireLimits): boolean {
  return maxPromptTokens === undefined || load.state + load.longestQuestion <= maxPromptTokens
}

function takes(load: Load, limits: WireLimits): boolean {
  return (
    load.count <= limits.maxQuestionsPerRequest &&
    load.state + load.longestQuestion <= limits.maxStateAndLongestQuestionTokens &&
    load.state + load.allQuestions <= limits.maxTotalTokens
  )
}
