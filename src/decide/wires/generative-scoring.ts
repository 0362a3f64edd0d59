import type { Answer, DecisionDocument, Question } from '../../engine/ports.ts'
import { type Calibration, createScoreReader } from '../calibration/calibration.ts'
import { classifyErrorEnvelope } from './error-envelope.ts'
import { readIndexed } from './indexed-answers.ts'
import { isRecord, readModelName } from './json.ts'
import type { PackedRequest, Wire } from './wire.ts'
import {
  isBoolean,
  renderDocuments,
  renderQuestion,
  renderShared,
  YES_NO_INSTRUCTIONS,
  YES_NO_TRAITS,
} from './yes-no-prompt.ts'

export interface GenerativeScoringWireOptions {
  /** Tokens of the model's vocabulary, as its `/tokenize` names them. */
  readonly labelTokenIds: { readonly yes: number; readonly no: number }
  /**
   * The model's chat template, with `{prompt}` where the user's words stand; the endpoint applies
   * none. Default: the bare prompt, then a line `Answer:`.
   */
  readonly promptTemplate?: string
  /** Of P(needed), for this model. The gate's answers are taken as they are. */
  readonly calibration?: Calibration
}

export const PROMPT_PLACE = '{prompt}'
const BARE_TEMPLATE = `${PROMPT_PLACE}\nAnswer:`

/**
 * vLLM's `POST /generative_scoring`: each item is appended to the query, and its score is the
 * probability of the first label token over that of all label tokens, as the next token. The query
 * is what all prompts share; an item is a message with its question.
 *
 * A prompt that is too long loses its end, and with it the question, without an error: the 8,192
 * tokens here have to be no more than the server's `--max-model-len`. How much of the probability
 * falls on neither label the server does not say.
 */
export function createGenerativeScoringWire(options: GenerativeScoringWireOptions): Wire {
  const { labelTokenIds } = options
  const { head, tail } = splitTemplate(options.promptTemplate ?? BARE_TEMPLATE)
  const readNeeded = createScoreReader(options.calibration, 'unit')
  const readYes = createScoreReader(undefined, 'unit')
  const opening = `${head}${YES_NO_INSTRUCTIONS}\n\n`
  return {
    id: 'generative-scoring',
    limits: {
      maxStateAndLongestQuestionTokens: 64_000,
      maxTotalTokens: 64_000,
      maxQuestionsPerRequest: 64,
      requestOverheadTokens: 16,
      questionOverheadTokens: 4,
      maxPromptTokens: 8_192,
    },
    traits: YES_NO_TRAITS,
    rendering: {
      stateText: (state) => `${opening}${renderShared(state)}${renderDocuments(state.documents)}`,
      documentText: (document) => renderDocuments([document]),
      questionText: (question) =>
        isBoolean(question) ? `${renderQuestion(question)}${tail}` : tail,
    },
    manyRequests: { parallel: 2, firstAlone: true },
    encode: (request, model) => {
      const { shared, ofItem } = placeDocuments(request)
      return {
        body: {
          model,
          query: `${opening}${renderShared(request.state)}${renderDocuments(shared)}`,
          items: request.questions.map((question) => {
            const asked = isBoolean(question) ? renderQuestion(question) : ''
            return `${renderDocuments(ofItem(question))}${asked}${tail}`
          }),
          label_token_ids: [labelTokenIds.yes, labelTokenIds.no],
          apply_softmax: true,
          item_first: false,
          add_special_tokens: true,
        },
      }
    },
    decode: (json, questions) => {
      if (!isRecord(json) || !Array.isArray(json.data)) return undefined
      const scores = readIndexed(json.data, questions.length)
      const answers = new Map<string, Answer>()
      for (const [place, question] of questions.entries()) {
        if (!isBoolean(question)) continue
        const read = question.about === undefined ? readYes : readNeeded
        const probability = read(scores.get(place)?.score)
        if (probability !== undefined) answers.set(question.id, { kind: 'boolean', probability })
      }
      const model = readModelName(json)
      return { answers, ...(model === undefined ? {} : { model }) }
    },
    classifyError: classifyErrorEnvelope,
  }
}

/** Template without a place for the prompt: the prompt stands before it. */
function splitTemplate(template: string): { readonly head: string; readonly tail: string } {
  const place = template.indexOf(PROMPT_PLACE)
  return place < 0
    ? { head: '', tail: template }
    : { head: template.slice(0, place), tail: template.slice(place + PROMPT_PLACE.length) }
}

/** A question about no message in particular needs them all, so that they go before every item. */
function placeDocuments({ questions, state }: PackedRequest): {
  readonly shared: readonly DecisionDocument[]
  readonly ofItem: (question: Question) => readonly DecisionDocument[]
} {
  if (questions.some((question) => aboutOf(question) === undefined)) {
    return { shared: state.documents, ofItem: () => [] }
  }
  const byId = new Map(state.documents.map((document) => [document.id, document]))
  return {
    shared: [],
    ofItem: (question) => {
      const document = byId.get(aboutOf(question) ?? '')
      return document === undefined ? [] : [document]
    },
  }
}

function aboutOf(question: Question): string | undefined {
  return isBoolean(question) ? question.about : undefined
}
