/** Names of what was asked, so that an answer is never taken for one to something else. */
import { createHash } from 'node:crypto'
import type { DecideRequest, DecisionState, SummarizeRequest } from '../../engine/ports.ts'

/** Characters of base64url: 96 bits, which no two messages of one conversation share. */
const ABOUT_LENGTH = 16

/** SHA-256 of everything that a call shows to a model, in base64url. */
export function callKey({
  site,
  questions,
  state,
}: Pick<DecideRequest, 'site' | 'questions' | 'state'>): string {
  const hash = createHash('sha256').update(JSON.stringify([site, state.fields]))
  for (const part of [state.recent, state.documents, questions]) {
    hash.update('\n')
    for (const item of part) hash.update(JSON.stringify(item)).update('\n')
  }
  return hash.digest('base64url')
}

export function summaryKey({
  instructions,
  input,
}: Pick<SummarizeRequest, 'instructions' | 'input'>): string {
  return createHash('sha256')
    .update(JSON.stringify(instructions))
    .update('\n')
    .update(input)
    .digest('base64url')
}

/**
 * Names of the documents by their ids, each of its own text and the request that it is judged for. What
 * stands around a document is not part of it: a threshold may change that. Cost: linear in all texts.
 */
export function documentNames({ fields, documents }: DecisionState): ReadonlyMap<string, string> {
  const request = createHash('sha256')
    .update(fields.current_request ?? '')
    .digest()
  return new Map(
    documents.map(({ id, role, text }) => [
      id,
      createHash('sha256')
        .update(request)
        .update(`${role}\n`)
        .update(text)
        .digest('base64url')
        .slice(0, ABOUT_LENGTH),
    ]),
  )
}
