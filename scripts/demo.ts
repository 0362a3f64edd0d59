/** Starts the built service, lets it compact the bundled example, prints the report, and stops it. */
import { readFile } from 'node:fs/promises'
import { renderCompactReport } from '../src/cli/report/compact-report.ts'
import { labelOf } from '../src/cli/report/message-label.ts'
import { createTerminal } from '../src/cli/terminal.ts'
import { startBuiltService } from './built-service.ts'
import { type CompactAnswer, EXAMPLE, postExample } from './example-request.ts'
import { pathInRepository } from './generated-files.ts'

const service = await startBuiltService()
try {
  const { status, milliseconds, answer } = await postExample(service.url)
  if (status !== 200) throw new Error(`POST /compact answered ${status}: ${JSON.stringify(answer)}`)
  await print(answer, milliseconds)
} finally {
  await service.stop()
}

/** What `precis compact` prints of the same file. */
async function print(answer: CompactAnswer, milliseconds: number) {
  const { messages } = JSON.parse(await readFile(pathInRepository(EXAMPLE), 'utf8'))
  const { width, paint, write } = createTerminal(process.stdout)
  const report = renderCompactReport(answer, {
    width,
    paint,
    source: `POST /compact with ${EXAMPLE}: 200 in ${Math.round(milliseconds)} ms`,
    messageCount: messages.length,
    describe: (index) => labelOf(messages[index]),
    listsAll: false,
    isDryRun: false,
  })
  write(`\n${report.join('\n')}\n`)
}
