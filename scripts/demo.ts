/** Starts the built service, lets it compact the bundled example, prints the report, and stops it. */
import { readFile } from 'node:fs/promises'
import { startBuiltService } from './built-service.ts'
import { type CompactAnswer, EXAMPLE, postExample } from './example-request.ts'
import { pathInRepository } from './generated-files.ts'

const SHOWN_ACTIONS = 20

const service = await startBuiltService()
try {
  const { status, milliseconds, answer } = await postExample(service.url)
  if (status !== 200) throw new Error(`POST /compact answered ${status}: ${JSON.stringify(answer)}`)
  await report(answer, milliseconds)
} finally {
  await service.stop()
}

async function report(answer: CompactAnswer, milliseconds: number) {
  const request = JSON.parse(await readFile(pathInRepository(EXAMPLE), 'utf8'))
  const { outcome, fits, tokensBefore, tokensAfter, budget } = answer
  const share = Math.round((100 * (tokensBefore - tokensAfter)) / tokensBefore)
  print([
    '',
    `POST /compact with ${EXAMPLE}: 200 in ${Math.round(milliseconds)} ms`,
    '',
    `outcome   ${outcome}, ${fits ? 'fits' : 'does not fit'} the target of ${number(budget.targetTokens.value)} tokens`,
    `tokens    ${number(tokensBefore)} -> ${number(tokensAfter)} (${share}% saved)`,
    `messages  ${number(request.messages.length)} -> ${number(answer.messages.length)}`,
    '',
  ])
  table(
    ['stage', 'status', 'before', 'after', 'dropped', 'rewritten', 'ms', 'why'],
    answer.stages.map((stage) => [
      stage.stage,
      stage.status,
      number(stage.tokensBefore),
      number(stage.tokensAfter),
      number(stage.dropped),
      number(stage.rewritten),
      stage.durationMs.toFixed(1),
      stage.reason ?? '',
    ]),
  )
  table(
    ['message', 'what', 'stage', 'reason', 'P(needed)', 'before', 'after'],
    answer.actions
      .slice(0, SHOWN_ACTIONS)
      .map((action) => [
        String(action.index),
        action.action,
        action.stage ?? '',
        action.reason,
        action.probability?.toFixed(3) ?? '',
        number(action.tokensBefore),
        number(action.tokensAfter),
      ]),
  )
  const more = answer.actions.length - SHOWN_ACTIONS
  if (more > 0) print([`... and ${more} more messages, each with its reason`, ''])
  for (const { code, message } of answer.warnings) print([`warning ${code}: ${message}`])
}

function table(head: readonly string[], rows: readonly (readonly string[])[]) {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        // Numbers end at the same column, words begin there.
        /^[\d.,]+$/.test(cell)
          ? cell.padStart(widths[column] ?? 0)
          : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd()
  print([line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line), ''])
}

function number(value: number): string {
  return value.toLocaleString('en-US')
}

function print(lines: readonly string[]) {
  console.log(lines.join('\n'))
}
