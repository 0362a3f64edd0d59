/**
 * Writes examples/coding-session.json: the body of a `POST /compact` with a coding agent's session.
 * The session is made up: its files stand in example-session/project, its dialogue in
 * example-session/steps, and what its tools answer follows from both. With `--check` writes nothing
 * and fails if what is there differs.
 *
 *     npx tsx scripts/write-example.ts [--check]
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { loadProject } from './example-session/project.ts'
import { playSession } from './example-session/session.ts'
import { CHECKOUT } from './example-session/steps/checkout.ts'
import { FINISH } from './example-session/steps/finish.ts'
import { FIRST_TASK } from './example-session/steps/first-task.ts'
import { MIGRATION } from './example-session/steps/migration.ts'
import { RETRY_WORK } from './example-session/steps/retry-work.ts'
import { STAGING_LOG } from './example-session/steps/staging-log.ts'
import { TOOLS } from './example-session/tools.ts'

/** About half of what the session has, by o200k_base. */
const TARGET_TOKENS = 13_000

const file = new URL('../examples/coding-session.json', import.meta.url)
const steps = [FIRST_TASK, RETRY_WORK, STAGING_LOG, MIGRATION, CHECKOUT, FINISH].flat()
const body = {
  format: 'openai-chat',
  model: 'gpt-4o',
  messages: playSession(steps, loadProject()),
  tools: TOOLS,
  targetTokens: TARGET_TOKENS,
  explain: 'changed',
}
const text = `${JSON.stringify(body, undefined, 2)}\n`

if (!process.argv.includes('--check')) {
  writeFileSync(file, text)
  console.log(`coding-session.json: ${body.messages.length} messages, ${text.length} characters`)
} else if (readFileSync(file, 'utf8') !== text) {
  console.error('examples/coding-session.json differs from what scripts/write-example.ts writes')
  process.exitCode = 1
}
