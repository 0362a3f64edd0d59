import fc from 'fast-check'
import { unknownMembers } from './extras.ts'
import { printedText, type TextSketch, writeText } from './texts.ts'
import type { JsonObject } from './types.ts'

/** One tool call with what came of it. */
export interface CallSketch {
  readonly tool: string
  readonly arguments: JsonObject
  readonly output: string
  readonly failed: boolean
  readonly shape: 'text' | 'parts' | 'image' | 'nothing'
  readonly extra: JsonObject
}

/** Few paths, ranges and states, so that reads of the same file, and identical results, come by themselves. */
const PATHS = ['src/app.ts', 'src/lib/数据.ts', 'docs/read me.md'] as const
const RANGES = [{}, { start_line: 1, end_line: 40 }, { start_line: 41, end_line: 90 }] as const
const READ_LENGTHS = [90, 700, 3_000] as const
const SHORT_OUTPUTS = ['ok', 'exit 0', '[]', 'true', '0 matches', 'done.'] as const

const read = fc
  .record({
    path: fc.constantFrom(...PATHS),
    range: fc.constantFrom(...RANGES),
    state: fc.nat({ max: 1 }),
  })
  .map(({ path, range, state }) => {
    const file = PATHS.indexOf(path)
    const output: TextSketch = {
      kind: 'code',
      length: READ_LENGTHS[file] ?? READ_LENGTHS[0],
      seed: file * 100 + RANGES.indexOf(range) * 10 + state,
    }
    return { tool: 'read_file', arguments: { path, ...range }, output: writeText(output) }
  })

const run = fc
  .record({
    command: fc.constantFrom('npm test', 'git status', 'ls -la', 'make'),
    output: fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom(...SHORT_OUTPUTS) },
      { weight: 3, arbitrary: printedText.map(writeText) },
    ),
  })
  .map(({ command, output }) => ({ tool: 'run_command', arguments: { command }, output }))

const write = fc
  .record({ path: fc.constantFrom(...PATHS), content: printedText })
  .map(({ path, content }) => ({
    tool: 'write_file',
    arguments: { path, content: writeText(content) },
    output: 'ok',
  }))

const search = fc
  .record({ pattern: fc.constantFrom('TODO', 'retry', '约束'), output: printedText })
  .map(({ pattern, output }) => ({
    tool: 'search',
    arguments: { pattern, options: { '2': 'two', '1': null } },
    output: writeText(output),
  }))

/** A tool whose output the default options protect. */
const skill = printedText.map((text) => ({
  tool: 'skill',
  arguments: { name: 'review' },
  output: writeText(text),
}))

const pinging = fc.constant({ tool: 'ping', arguments: {}, output: 'ok' })

const base = fc.oneof(
  { weight: 6, arbitrary: read },
  { weight: 5, arbitrary: run },
  { weight: 1, arbitrary: write },
  { weight: 2, arbitrary: search },
  { weight: 1, arbitrary: skill },
  { weight: 1, arbitrary: pinging },
)

export const callSketch: fc.Arbitrary<CallSketch> = fc
  .record({
    base,
    failed: fc.nat({ max: 9 }).map((roll) => roll === 9),
    shape: fc.constantFrom<CallSketch['shape'][]>(
      'text',
      'text',
      'text',
      'text',
      'text',
      'parts',
      'parts',
      'image',
      'nothing',
    ),
    extra: unknownMembers,
  })
  .map(({ base: call, failed, shape, extra }) => ({
    ...call,
    output: failed ? `Error: ${call.tool} failed with status 1` : call.output,
    failed,
    shape: failed ? 'text' : shape,
    extra,
  }))
