/**
 * Complaint 6, claude-code #64026: `advisor_tool_result` and `server_tool_use` were left without each
 * other; at 100% of the window the request for the summary was invalid itself, so that the user could
 * not get out. headroom #2438: a `server_tool_use` was rewritten into a shape that is none.
 */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { prose } from '../seeds/support.ts'
import { session } from './dialects.ts'
import { expectValid, run, sweep } from './support.ts'

const call = (number: number): JsonObject => ({
  type: 'server_tool_use',
  id: `srvtoolu_${number}`,
  name: 'advisor',
  input: {},
})
const advice = (number: number): JsonObject => ({
  type: 'advisor_tool_result',
  tool_use_id: `srvtoolu_${number}`,
  content: { type: 'advisor_result', text: prose(40, `advice${number}`) },
})
const text = (value: string): JsonObject => ({ type: 'text', text: value })

/** Code that waits for a tool of the client, so that its own result comes two messages later. */
const waiting = (turn: number): JsonObject[] => [
  {
    role: 'assistant',
    content: [
      { ...call(turn), name: 'code_execution', input: { code: prose(20, `code${turn}`) } },
      {
        type: 'tool_use',
        id: `roll_${turn}`,
        name: 'roll',
        input: {},
        caller: { type: 'code_execution_20250825', tool_id: `srvtoolu_${turn}` },
      },
    ],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: `roll_${turn}`, content: '4' }] },
  {
    role: 'assistant',
    content: [
      {
        type: 'code_execution_tool_result',
        tool_use_id: `srvtoolu_${turn}`,
        content: { type: 'code_execution_result', stdout: prose(40, `out${turn}`), stderr: '' },
      },
      text(prose(20, `${turn}`)),
    ],
  },
]

/** Advice in one message and in two, which are one turn of the API, and code that waits. */
const advised = (): JsonObject[] => [
  ...session('anthropic-messages', 2),
  ...Array.from({ length: 9 }, (_, turn): JsonObject[] => {
    const forms: JsonObject[][] = [
      [{ role: 'assistant', content: [call(turn), advice(turn), text(prose(20, `${turn}`))] }],
      [
        { role: 'assistant', content: [text('Asking.'), call(turn)] },
        { role: 'assistant', content: [advice(turn), text(prose(20, `${turn}`))] },
      ],
      waiting(turn),
    ]
    return [
      ...(forms[turn % forms.length] ?? []),
      { role: 'user', content: prose(15, `wish${turn}`) },
    ]
  }).flat(),
]

/** Types of results of tools that run at the provider. */
const RESULTS: ReadonlySet<unknown> = new Set(['advisor_tool_result', 'code_execution_tool_result'])

const blocksOf = (messages: readonly unknown[]): JsonObject[] =>
  (messages as JsonObject[]).flatMap(({ content }) =>
    Array.isArray(content) ? (content as JsonObject[]) : [],
  )
const callsIn = (messages: readonly unknown[]): unknown[] =>
  blocksOf(messages).flatMap(({ type, id }) => (type === 'server_tool_use' ? [id] : []))
const answersIn = (messages: readonly unknown[]): unknown[] =>
  blocksOf(messages).flatMap((block) => (RESULTS.has(block.type) ? [block.tool_use_id] : []))

describe('the advice of a tool that runs at the provider', () => {
  it('is never left without its call, nor the call without it, wherever the cut falls', async () => {
    await sweep('anthropic-messages', advised(), (step) => {
      expectValid('anthropic-messages', step)
      expect(answersIn(step.result.messages)).toEqual(callsIn(step.result.messages))
    })
  })

  it('and its call keep their shape, member for member', async () => {
    const items = advised()
    const posted = new Set(blocksOf(items))
    await sweep('anthropic-messages', items, ({ result }) => {
      for (const block of blocksOf(result.messages)) {
        const isServers = block.type === 'server_tool_use' || RESULTS.has(block.type)
        if (isServers) expect(posted.has(block)).toBe(true)
      }
    })
  })

  it('reaches the summariser as what it says, so that its request has nothing to pair', async () => {
    const items = advised()
    const { tokensBefore, floor } = (await run('anthropic-messages', items, { targetTokens: 1e9 }))
      .result.report
    const { result, summarize } = await run('anthropic-messages', items, {
      targetTokens: Math.ceil(floor.tokens + (tokensBefore - floor.tokens) / 4),
      options: { prune: { enabled: false }, truncate: { enabled: false } },
    })
    expect(result.report.stagesUsed).toEqual(['summarize'])
    const sent = JSON.stringify(summarize.requests)
    expect(sent).toContain(prose(40, 'advice0').slice(0, 60))
    expect(sent).not.toContain('srvtoolu_')
    expect(sent).not.toContain('tool_use_id')
  })

  it('that has lost its call already does not lock the user out of the window', async () => {
    const [task, ...rest] = advised()
    const orphan = { role: 'assistant', content: [advice(99), text('So be it.')] }
    const items = [task ?? {}, orphan, { role: 'user', content: 'Go on.' }, ...rest]
    const posted = await run('anthropic-messages', items, { targetTokens: 1e9 })
    expect(posted.result.violations.map(({ rule }) => rule)).toEqual(['server-result-without-call'])
    const { tokensBefore, floor } = posted.result.report
    const { result } = await run('anthropic-messages', items, {
      targetTokens: Math.ceil(floor.tokens + (tokensBefore - floor.tokens) / 4),
    })
    expect(result.report.fits).toBe(true)
    expect(result.brokenRules).toEqual([])
    expect(result.violations).toEqual([])
  })
})
