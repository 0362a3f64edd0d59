import { describe, expect, test } from 'vitest'
import {
  aroundBoundary,
  keptExchanges,
} from '../../../eval/measurements/sessions/read-recorded-session.ts'

const use = (id: string, name: string, file_path: string) => ({
  type: 'tool_use',
  id,
  name,
  input: { file_path },
})
const assistant = (...content: ReturnType<typeof use>[]) => ({ message: { content } })
const BOUNDARY = { subtype: 'compact_boundary' }

describe('aroundBoundary', () => {
  const before = [
    assistant(use('1', 'Read', '/a.ts'), use('2', 'Read', '/b.ts')),
    assistant(use('3', 'Edit', '/a.ts')),
    { isSidechain: true, ...assistant(use('4', 'Read', '/a.ts')) },
    assistant(use('5', 'Grep', '/a.ts')),
  ]
  const summary = { isCompactSummary: true, message: { content: 'We worked on a.ts.' } }

  test('needs the earlier exchanges on files that are read again', () => {
    const after = [summary, assistant(use('6', 'Read', '/a.ts'), use('7', 'Edit', '/b.ts'))]
    expect(aroundBoundary([...before, BOUNDARY, ...after])).toEqual({
      needed: [
        { id: '1', tool: 'Read', path: '/a.ts' },
        { id: '3', tool: 'Edit', path: '/a.ts' },
      ],
      summary: '"We worked on a.ts."',
    })
  })

  test('looks no further than the next compaction, and not at sub-agents', () => {
    const lines = [
      ...before,
      BOUNDARY,
      { isSidechain: true, ...assistant(use('6', 'Read', '/a.ts')) },
      BOUNDARY,
      assistant(use('7', 'Read', '/b.ts')),
    ]
    expect(aroundBoundary(lines).needed).toEqual([])
  })

  test('refuses a session without a boundary', () => {
    expect(() => aroundBoundary(before)).toThrow('never compacted')
  })
})

describe('keptExchanges', () => {
  const call = (id: string) => ({ role: 'assistant', content: [use(id, 'Read', '/a.ts')] })
  const result = (id: string, content: string) => ({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: id, content }],
  })
  const messages = [call('1'), result('1', 'one'), call('2'), result('2', 'two'), call('3')]

  test('takes call and result that both come back as they were', () => {
    expect([...keptExchanges(messages, messages)]).toEqual(['1', '2'])
  })

  test('does not take a result that was cleared, a call that was cut, or what went', () => {
    expect([...keptExchanges(messages, [call('1'), result('1', '[cleared]')])]).toEqual([])
    const cut = { role: 'assistant', content: [use('1', 'Read', '…')] }
    expect([...keptExchanges(messages, [cut, result('1', 'one')])]).toEqual([])
    expect([...keptExchanges(messages, [])]).toEqual([])
  })
})
