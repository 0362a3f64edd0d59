/** W21: theirs judges without the recent messages, so that "that variable" refers to nothing. */
import { describe, expect, it } from 'vitest'
import {
  assistant,
  chat,
  compactWith,
  conversation,
  sizeOf,
  toolExchange,
  user,
} from '../seeds/support.ts'
import { systemOneRun } from './system-one-run.ts'

describe('W21: the state of a relevance question', () => {
  it('holds the recent messages, tool output among them, apart from those that are judged', async () => {
    const messages = conversation(
      user('The task.'),
      ...chat(12),
      user('Where is the variable?'),
      ...toolExchange('grep', { pattern: 'uid' }, 'session.ts:12: const uid = read()'),
      assistant('The variable `uid` is in session.ts.'),
      user('Is it used elsewhere?'),
      assistant('No, only there.'),
      user('Now rename that variable.'),
    )
    const { decide, sent } = await systemOneRun()
    await compactWith({ messages, targetTokens: (await sizeOf(messages)) - 1 }, { decide })
    const [request] = sent()
    const recent = Object.values(request?.state.recent_messages ?? {}).map(({ text }) => text)
    expect(recent).toHaveLength(6)
    expect(recent[1]).toBe('session.ts:12: const uid = read()')
    expect(recent[2]).toBe('The variable `uid` is in session.ts.')
    expect(request?.state.current_request).toBe('Now rename that variable.')
    const judged = Object.keys(request?.state.messages ?? {})
    expect(judged).toEqual(Object.keys(request?.questions ?? {}))
    expect(judged).not.toContain('msg__16')
  })

  it('has the recent window in every request of a batch that had to be split', async () => {
    const messages = conversation(user('The task.'), ...chat(306, 240))
    const { decide, sent } = await systemOneRun()
    await compactWith({ messages, targetTokens: (await sizeOf(messages)) - 1 }, { decide })
    expect(sent().length).toBeGreaterThan(1)
    for (const { state } of sent()) {
      expect(Object.keys(state.recent_messages ?? {})).toHaveLength(6)
      expect(state.current_request).toBeTypeOf('string')
    }
  })
})
