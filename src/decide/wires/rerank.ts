import type { Answer, DecisionDocument, Question } from '../../engine/ports.ts'
import { type Calibration, createScoreReader } from '../calibration/calibration.ts'
import { shortenText } from '../shorten-text.ts'
import { classifyErrorEnvelope } from './error-envelope.ts'
import { readIndexed } from './indexed-answers.ts'
import { isRecord, readModelName } from './json.ts'
import { RERANKERS, type RerankDialectName } from './rerank-dialects.ts'
import type { PackedState, Wire } from './wire.ts'

export interface RerankWireOptions {
  readonly dialect: RerankDialectName
  /** Of this model; without one its scores are taken for P(needed) as they are. */
  readonly calibration?: Calibration
}

/** A query is read again with every document, and small rerankers read 512 tokens of both. */
const MAX_QUERY_CHARS = 1_000
/** No server documents a limit on all documents together. */
const UNLIMITED = 1_000_000
/** What a cross-encoder sets around query and document. */
const PAIR_OVERHEAD = 4

/**
 * `POST …/rerank`: the query is the current request, the documents are the messages that are judged.
 * A reranker has nowhere to put the rule, the recent window or a question, so it judges relevance and
 * nothing else. Documents are scored one by one, so that requests can be split, and no document can
 * say anything about another.
 *
 * Its ranking is what a reranker is made for, so the least needed go first, unlike with a decision
 * model; its scores are not made to be summed.
 */
export function createRerankWire({ dialect: name, calibration }: RerankWireOptions): Wire {
  const dialect = RERANKERS[name]
  const probabilityOf = createScoreReader(calibration, dialect.scale)
  return {
    id: 'rerank',
    limits: {
      maxStateAndLongestQuestionTokens: UNLIMITED,
      maxTotalTokens: UNLIMITED,
      maxQuestionsPerRequest: dialect.maxDocuments,
      requestOverheadTokens: PAIR_OVERHEAD,
      questionOverheadTokens: 0,
      ...(dialect.maxPairTokens !== undefined && { maxPromptTokens: dialect.maxPairTokens }),
    },
    traits: { order: 'least-needed-first', riskBudget: undefined, sites: new Set(['relevance']) },
    rendering: {
      stateText: (state) => [queryOf(state), ...state.documents.map(renderDocument)].join('\n'),
      documentText: (document) => `\n${renderDocument(document)}`,
      questionText: () => '',
    },
    manyRequests: { parallel: 4, firstAlone: false },
    encode: ({ questions, state }, model) => {
      const texts = new Map(
        [...state.recent, ...state.documents].map((one) => [one.id, renderDocument(one)]),
      )
      const textOf = (question: Question) =>
        isAboutMessage(question) ? (texts.get(question.about) ?? '') : ''
      const documents = questions.map(textOf)
      return { body: dialect.body({ model, query: queryOf(state), documents }) }
    },
    decode: (json, questions) => {
      const results = resultsOf(json)
      if (results === undefined) return undefined
      const scores = readIndexed(results, questions.length)
      const answers = new Map<string, Answer>()
      for (const [place, question] of questions.entries()) {
        const score = scores.get(place)
        const probability = probabilityOf(score?.relevance_score ?? score?.score)
        if (!isAboutMessage(question) || probability === undefined) continue
        answers.set(question.id, { kind: 'boolean', probability })
      }
      const model = isRecord(json) ? readModelName(json) : undefined
      return { answers, ...(model === undefined ? {} : { model }) }
    },
    classifyError: (status, json) =>
      dialect.tooLong?.test(messageOf(json)) === true
        ? 'max-tokens-exceeded'
        : classifyErrorEnvelope(status, json),
  }
}

function queryOf({ fields }: PackedState): string {
  const request = fields.find(([name]) => name === 'current_request')?.[1] ?? ''
  return shortenText(request, MAX_QUERY_CHARS)
}

function isAboutMessage(question: Question): question is Question & { readonly about: string } {
  return question.kind === 'boolean' && question.about !== undefined
}

/** Who said it is part of what it says. */
function renderDocument({ speaker, text }: DecisionDocument): string {
  return speaker === undefined ? text : `${speaker}: ${text}`
}

/** TEI answers with the array itself. */
function resultsOf(json: unknown): readonly unknown[] | undefined {
  const results = isRecord(json) ? json.results : json
  return Array.isArray(results) ? results : undefined
}

/** Compared and forgotten: it may quote what was sent. */
function messageOf(json: unknown): string {
  if (!isRecord(json)) return ''
  const { message } = isRecord(json.error) ? json.error : json
  return typeof message === 'string' ? message : ''
}
