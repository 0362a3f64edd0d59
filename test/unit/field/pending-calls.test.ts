/**
 * Complaint 4, adk-python #4740 and #5602: a call that waited for a person's confirmation was
 * compacted away, and when the answer came nothing was there that it could answer.
 */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { FORMATS } from '../../../src/formats/index.ts'
import { DIALECTS, FIELD_FORMATS, idsIn, session } from './dialects.ts'
import { expectValid, run, sweep } from './support.ts'

describe.each(FIELD_FORMATS)('a call that still waits, in %s', (format) => {
  const { list, calls, results } = DIALECTS[format]

  it.each([
    ['all of its results', [] as string[]],
    ['one of two results', ['call_here']],
  ])('for %s comes through, and the late answer is valid', async (_, there) => {
    const waiting = [
      ...calls(['call_here', 'call_late']),
      ...(there.length > 0 ? results(there, 40) : []),
    ]
    const items = [...session(format, 7), ...waiting]
    await sweep(format, items, (step) => {
      expectValid(format, step)
      expect(idsIn(step.result.messages).called).toContain('call_late')
      if (there.length > 0) return
      const answer = results(['call_here', 'call_late'], 5)
      const resumed: JsonObject = { [list]: [...step.result.messages, ...answer] } as JsonObject
      expect(FORMATS[format].check(resumed)).toEqual([])
    })
  })

  it('while the conversation goes on is pinned, by name', async () => {
    const { user, says } = DIALECTS[format]
    const [task, ...rest] = session(format, 9)
    const asked = [...calls(['call_late']), ...says('It waits for you.'), user('Later.')]
    const items = [task ?? {}, ...asked, ...rest]
    const { tokensBefore, floor } = (await run(format, items, { targetTokens: 1e9 })).result.report
    const { result } = await run(format, items, {
      targetTokens: Math.ceil((tokensBefore + floor.tokens) / 2),
      explain: 'all',
    })
    expect(result.report.outcome).not.toBe('unchanged')
    expect(result.brokenRules).toEqual([])
    expect(idsIn(result.messages).called).toContain('call_late')
    const index = items.findIndex((item) => idsIn([item]).called.includes('call_late'))
    expect(result.report.actions.find((action) => action.index === index)).toMatchObject({
      action: 'kept',
      reason: 'unresolved-call',
    })
  })
})

describe("a confirmation in the AI SDK's own form", () => {
  it('comes through with the call that it asks for', async () => {
    const call = {
      type: 'tool-call',
      toolCallId: 'call_pay',
      toolName: 'pay',
      input: { amount: 12 },
    }
    const request = {
      type: 'tool-approval-request',
      approvalId: 'approval_1',
      toolCallId: 'call_pay',
    }
    const items = [...session('ai-sdk', 7), { role: 'assistant', content: [call, request] }]
    await sweep('ai-sdk', items, (step) => {
      expectValid('ai-sdk', step)
      expect(step.result.messages.at(-1)).toBe(items.at(-1))
    })
  })
})
