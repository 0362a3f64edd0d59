import type { DecideRequest, DecisionDocument, Question } from '../../../src/engine/ports.ts'

export interface RelevanceRequestOptions {
  readonly currentRequest?: string
  readonly recent?: readonly DecisionDocument[]
  readonly signal?: AbortSignal
}

/** One question for each text; the ids are m0, m1, ... */
export function relevanceRequest(
  texts: readonly string[],
  options: RelevanceRequestOptions = {},
): DecideRequest {
  return {
    site: 'relevance',
    questions: texts.map((_, index) => questionAbout(`m${index}`)),
    state: {
      fields: {
        current_request: options.currentRequest ?? 'Rename that variable.',
        rule: 'A message is needed if the request builds on it.',
      },
      recent: options.recent ?? [{ id: 'r0', role: 'user', text: 'The variable is called count.' }],
      documents: texts.map((text, index) => ({ id: `m${index}`, role: 'user', text })),
    },
    signal: options.signal ?? new AbortController().signal,
  }
}

export function questionAbout(id: string): Question {
  return {
    id,
    kind: 'boolean',
    about: id,
    instructions: `Does the assistant still need message ${id}? Apply rule.`,
  }
}

export function gateRequest(): DecideRequest {
  return {
    site: 'summary-gate',
    questions: [
      { id: 'preserves', kind: 'boolean', instructions: 'Does summary keep every decision?' },
      { id: 'is_refusal', kind: 'boolean', instructions: 'Is summary a refusal?' },
    ],
    state: {
      fields: { summary: 'They chose Postgres.' },
      recent: [],
      documents: [
        { id: 'm0', role: 'user', text: 'We use Postgres 16.' },
        { id: 'm1', role: 'assistant', text: 'Noted, thanks.' },
      ],
    },
    signal: new AbortController().signal,
  }
}

export function scopeRequest(): DecideRequest {
  return {
    site: 'context-scope',
    questions: [
      {
        id: 'scope',
        kind: 'score',
        instructions: 'How much is needed?',
        levels: [{ label: 'none' }, { label: 'all' }],
      },
    ],
    state: { fields: { current_request: 'Rename it.' }, recent: [], documents: [] },
    signal: new AbortController().signal,
  }
}
