/** W17: theirs calls its truncation non-destructive, and keeps nothing that an undo could rest on. */
import { describe, expect, it } from 'vitest'
import type { CompactResult } from '../../../src/conversation/compact-conversation.ts'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { buildTestApp } from '../../helpers/build-app.ts'
import { expectProblem } from '../../helpers/expect-problem.ts'
import { fakeSummarizer } from '../../helpers/fake-ports.ts'
import {
  chat,
  compactWith,
  conversation,
  judge,
  prose,
  sizeOf,
  toolExchange,
  user,
} from '../seeds/support.ts'

const MESSAGES = conversation(
  user('The task.'),
  ...toolExchange('run', { step: 1 }, prose(300, 'log')),
  ...chat(40),
)

/** What was posted, from what came back, the report, and the originals of what changed alone. */
function restore(result: CompactResult, original: (index: number) => JsonObject): unknown[] {
  const { actions } = result.report
  const inserted = actions.filter(({ action }) => action === 'inserted')
  const changed = new Map(
    actions
      .filter(({ action }) => action !== 'inserted')
      .map(({ index, action }) => [index, action]),
  )
  const left = [...result.messages]
  const restored: unknown[] = []
  for (let index = 0; left.length > 0 || changed.has(index); index += 1) {
    for (const { index: before } of inserted) if (before === index) left.shift()
    const action = changed.get(index)
    if (action === 'dropped') restored.push(original(index))
    else if (action === 'rewritten') {
      left.shift()
      restored.push(original(index))
    } else restored.push(left.shift())
  }
  return restored
}

describe('W17: what an undo needs', () => {
  it.each([
    ['relevance and truncation', { decide: judge(0.9, { 5: 0.01, 6: 0.01 }) }, 0.4],
    ['pruning', {}, 0.9],
    ['a summary', { summarize: fakeSummarizer(['1. Primary Request and Intent: it.']) }, 0.5],
  ])(
    'is in the report of %s: which message, where, by which stage and why',
    async (_, models, share) => {
      const targetTokens = Math.floor((await sizeOf(MESSAGES)) * share)
      const options = { prune: { protectTokens: 0 } }
      const result = await compactWith({ messages: MESSAGES, targetTokens, options }, models)
      expect(result.report.outcome).toBe('compacted')
      for (const { index, id, action, stage, reason } of result.report.actions) {
        expect(stage).toBeDefined()
        expect(reason).not.toBe('')
        if (action !== 'inserted') expect(id).toBe(MESSAGES[index]?.id)
      }
      const asked: number[] = []
      const restored = restore(result, (index) => {
        asked.push(index)
        return MESSAGES[index] ?? {}
      })
      expect(restored).toEqual(MESSAGES)
      expect(asked.length).toBeLessThan(MESSAGES.length)
    },
  )

  it('is there before anything is done, in a dry run', async () => {
    const targetTokens = Math.floor((await sizeOf(MESSAGES)) * 0.4)
    const request = { messages: MESSAGES, targetTokens }
    const wet = await compactWith(request)
    const dry = await compactWith({ ...request, dryRun: true })
    expect(dry.messages).toBe(MESSAGES)
    expect(dry.report.actions).toEqual(wet.report.actions)
  })
})

describe('W17: options that nothing reads', () => {
  it.each(['contextCompaction', 'disableCompaction', 'compactThreshold'])(
    'are refused and not ignored: %s',
    async (name) => {
      const { app } = await buildTestApp()
      const payload = { messages: MESSAGES, options: { [name]: true } }
      const response = await app.inject({ method: 'POST', url: '/compact', payload })
      const problem = expectProblem(response, 'invalid-request')
      expect(problem.errors).toMatchObject([{ pointer: `/options/${name}` }])
      await app.close()
    },
  )
})
