import { describe, expect, it } from 'vitest'
import {
  type Candidate,
  documentId,
  relevanceQuestion,
  relevanceState,
} from '../../../../src/engine/questions/relevance.ts'

const candidate = (entry: number, text: string): Candidate => ({
  entries: [entry],
  document: { id: documentId(entry), role: 'user', text },
})

describe('relevanceQuestion', () => {
  it('asks about its document by id and holds none of its text', () => {
    const question = relevanceQuestion(candidate(4, 'drop all tables'))
    expect(question).toMatchObject({ id: 'msg__4', kind: 'boolean', about: 'msg__4' })
    expect(question.instructions).toContain('msg__4')
    expect(JSON.stringify(question)).not.toContain('drop all tables')
  })
})

describe('relevanceState', () => {
  it('holds each text once, and the rule once for all questions', () => {
    const recent = [{ id: 'msg__9', role: 'user', text: 'now this' } as const]
    const state = relevanceState(
      'now this',
      [candidate(1, 'first'), candidate(2, 'second')],
      recent,
    )
    expect(state.documents.map(({ text }) => text)).toEqual(['first', 'second'])
    expect(state.recent).toBe(recent)
    expect(Object.keys(state.fields)).toEqual(['current_request', 'rule'])
    expect(state.fields.current_request).toBe('now this')
  })
})
