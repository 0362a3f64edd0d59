import { estimateTokens, type Fields, isFields } from './validation.ts'

/** What is wrong with a request, in words that quote nothing of it. */
export type RerankFault = string

/** The member that holds the texts: TEI names it differently from all others. */
export function textsOf(body: unknown): readonly string[] {
  const texts = isFields(body) ? (body.texts ?? body.documents) : undefined
  return Array.isArray(texts) ? (texts as readonly string[]) : []
}

/** The first documented rule of a rerank endpoint that a request breaks. */
export function findRerankFault(
  body: unknown,
  member: 'documents' | 'texts',
  needsModel: boolean,
): RerankFault | undefined {
  if (!isFields(body)) return 'the body must be an object'
  if (needsModel && typeof body.model !== 'string') return 'model is required'
  if (typeof body.query !== 'string' || body.query.trim() === '') return 'query must not be empty'
  const texts = body[member]
  if (!Array.isArray(texts) || texts.length === 0) return `list of ${member} must not be empty`
  if (texts.some((text) => typeof text !== 'string' || text.trim() === '')) {
    return `${member} must be texts that are not empty`
  }
  const topN = body.top_n
  if (topN !== undefined && (!Number.isInteger(topN) || Number(topN) < 0)) {
    return 'top_n must be a natural number'
  }
  return findTypeFault(body)
}

function findTypeFault(body: Fields): RerankFault | undefined {
  const flags = ['return_documents', 'raw_scores', 'return_text', 'truncate', 'use_activation']
  const wrong = flags.find((name) => body[name] !== undefined && typeof body[name] !== 'boolean')
  return wrong && `${wrong} must be a boolean`
}

/** Tokens of the longest pair of query and document. */
export function longestPair(body: Fields): number {
  const query = estimateTokens(body.query)
  return Math.max(...textsOf(body).map((text) => query + estimateTokens(text) + 4))
}
