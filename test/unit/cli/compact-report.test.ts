import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { pathInRepository } from '../../../scripts/generated-files.ts'
import { createEngine } from '../../../src/cli/engine.ts'
import type { CompactAnswer } from '../../../src/cli/report/compact-answer.ts'
import { renderCompactReport } from '../../../src/cli/report/compact-report.ts'
import { labelOf } from '../../../src/cli/report/message-label.ts'
import { PLAIN } from '../../../src/cli/report/paint.ts'
import { textWidth } from '../../../src/cli/report/text-width.ts'

const run = {
  signal: new AbortController().signal,
  observer: { stageStarted: () => {}, stageFinished: () => {} },
}

let messages: { readonly content: unknown }[]
let compacted: CompactAnswer
let unreachable: CompactAnswer

beforeAll(async () => {
  const body = JSON.parse(await readFile(pathInRepository('examples/coding-session.json'), 'utf8'))
  messages = body.messages
  const engine = createEngine()
  const request = { model: 'gpt-4o', messages }
  compacted = (await engine.compact({ ...request, targetTokens: 13_000, explain: 'all' }, run))
    .answer
  unreachable = (await engine.compact({ ...request, targetTokens: 100 }, run)).answer
})

const render = (answer: CompactAnswer, width: number, listsAll = false) =>
  renderCompactReport(answer, {
    width,
    paint: PLAIN,
    source: 'a conversation',
    messageCount: messages.length,
    describe: (index) => labelOf(messages[index] as never),
    listsAll,
    isDryRun: false,
  })

describe('renderCompactReport', () => {
  test.each([20, 33, 40, 60, 80, 100, 120, 200])('keeps within %d columns', (width) => {
    for (const answer of [compacted, unreachable]) {
      for (const line of [...render(answer, width), ...render(answer, width, true)]) {
        expect(textWidth(line), line).toBeLessThanOrEqual(width)
      }
    }
  })

  test('numbers, statuses and reasons are never cut, however narrow', () => {
    const text = render(compacted, 60, true).join('\n')
    for (const { index, action } of compacted.actions) {
      if (action !== 'inserted') expect(text).toMatch(new RegExp(`^ *${index} .*${action}`, 'm'))
    }
    expect(text).not.toContain('…')
  })

  test('the tokens of its rows add up to what was saved', () => {
    const changed = { ...compacted, actions: compacted.actions.filter((a) => a.action !== 'kept') }
    const lines = render(changed, 120)
    const start = lines.findIndex((line) => /^ *message /.test(line)) + 2
    let saved = 0
    for (const line of lines.slice(start)) {
      const action = / (dropped|rewritten|inserted) /.exec(line)?.[1]
      if (action === undefined) continue
      const numbers = line.match(/[\d,]+(?=\s|$)/g)?.map((each) => Number(each.replaceAll(',', '')))
      const [last = 0, other = 0] = (numbers ?? []).reverse()
      saved += action === 'dropped' ? last : action === 'inserted' ? -last : other - last
    }
    expect(saved).toBe(compacted.tokensBefore - compacted.tokensAfter)
  })

  test('says what holds the tokens where the target cannot be met', () => {
    const text = render(unreachable, 200).join('\n')
    expect(text).toContain('does not fit')
    expect(text).toMatch(/^floor .*instructions \d+.*newest messages \d+/m)
  })

  test('says nothing of what the messages say', () => {
    const text = render(compacted, 200, true).join('\n')
    for (const { content } of messages) {
      if (typeof content === 'string' && content.length > 20) {
        expect(text).not.toContain(content.trim().slice(0, 20))
      }
    }
  })
})
