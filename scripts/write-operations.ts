/** Writes the tables of docs/operations.md and .env.example; with `--check`, fails if they differ. */
import { readIfPresent, replaceSection, writeOrCheck } from './generated-files.ts'
import { environmentExample, environmentTable, metricsTable } from './operations-sections.ts'

const OPERATIONS = 'docs/operations.md'

const operations = replaceSection(
  replaceSection(await readIfPresent(OPERATIONS), 'environment', environmentTable()),
  'metrics',
  metricsTable(),
)
await writeOrCheck(
  [
    { path: OPERATIONS, content: operations },
    { path: '.env.example', content: environmentExample() },
  ],
  'docs',
)
