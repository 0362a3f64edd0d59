import { expect, test } from 'vitest'
import { createProgress } from '../../../src/cli/progress.ts'
import { PLAIN } from '../../../src/cli/report/paint.ts'

function progressOf(isTerminal: boolean) {
  let written = ''
  let now = 0
  const terminal = {
    write: (text: string) => {
      written += text
    },
    isTerminal,
    width: 20,
    paint: PLAIN,
  }
  return {
    progress: createProgress(terminal, () => now),
    pass: (milliseconds: number) => {
      now += milliseconds
    },
    written: () => written,
  }
}

test('work that is soon over has no line', () => {
  const { progress, pass, written } = progressOf(true)
  progress.stageStarted('relevance')
  pass(100)
  progress.stageStarted('truncate')
  progress.clear()
  expect(written()).toBe('')
})

test('long work names its stages in one line, within the width, and takes it away', () => {
  const { progress, pass, written } = progressOf(true)
  pass(1_000)
  progress.stageStarted('relevance')
  expect(written()).toBe('\r\u001b[Kprecis: relevance …')
  progress.stageStarted('a stage of a very long name')
  expect(written().split('\r\u001b[K').at(-1)?.length).toBe(19)
  progress.clear()
  expect(written().endsWith('\r\u001b[K')).toBe(true)
})

test('what is expected to be long is told from the beginning', () => {
  const { progress, written } = progressOf(true)
  progress.expectLong()
  progress.stageStarted('prune')
  expect(written()).toContain('prune')
})

test('nothing is written where there is no terminal', () => {
  const { progress, pass, written } = progressOf(false)
  pass(10_000)
  progress.expectLong()
  progress.stageStarted('relevance')
  progress.clear()
  expect(written()).toBe('')
})
