/** Claude Code transcripts through the command line: what is read, written and told. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFaults } from '../helpers/wire-rules/index.ts'
import {
  assistant,
  call,
  record,
  result,
  summary,
  text,
  user,
} from '../unit/transcripts/session-lines.ts'
import { BUILD_MS, type BuiltCli, buildCli, ROOT } from './cli-process.ts'

const EXAMPLE = 'examples/claude-code-session.jsonl'

let cli: BuiltCli
let runCli: BuiltCli['run']

beforeAll(async () => {
  cli = await buildCli()
  runCli = cli.run
}, BUILD_MS)

afterAll(() => cli?.remove())

async function fileOf(name: string, lines: readonly string[], end = '\n'): Promise<string> {
  const path = join(cli.folder, name)
  await writeFile(path, lines.join('\n') + end)
  return path
}

const DIALOGUE = [
  user('u1', null, 'first'),
  assistant('a1', 'u1', 'm1', call('c1')),
  user('r1', 'a1', result('c1', 'a long result '.repeat(50))),
  assistant('a2', 'r1', 'm2', text('done')),
  user('u2', 'a2', 'second'),
]

describe('the example session', () => {
  test('compact writes the conversation since its compaction, valid and within the target', async () => {
    const { code, stdout, stderr } = await runCli(['compact', EXAMPLE, '--target', '9000'])
    expect(code).toBe(0)
    const after = JSON.parse(stdout)
    expect(Object.keys(after)).toEqual(['messages'])
    expect(after.messages[0].content).toMatch(/^This session is being continued/)
    expect(after.messages.at(-1)).toMatchObject({ role: 'user' })
    for (const message of after.messages) {
      expect(Object.keys(message)).toEqual(['role', 'content'])
    }
    const check = await runCli(['check', '-', '--format', 'anthropic-messages'], { stdin: stdout })
    expect(check.code, check.stdout).toBe(0)
    expect(stderr).toMatch(
      /a Claude Code transcript, 112 messages of 275 lines, since its compaction\s+at line 109/,
    )
    expect(stderr).not.toContain('taken back')
    expect(stdout).not.toContain('Delete the checkout test')
    expect(stdout).not.toContain('List the migrations')
  })

  test('the table and the JSON report name the line of each message', async () => {
    const args = ['compact', EXAMPLE, '--target', '9000', '--dry-run']
    const { actions } = JSON.parse((await runCli([...args, '--json'])).stdout)
    const lines = (await readFile(join(ROOT, EXAMPLE), 'utf8')).split('\n')
    const dropped = actions.filter(({ action }: { action: string }) => action === 'dropped')
    expect(dropped.length).toBeGreaterThan(10)
    for (const { line } of dropped) {
      expect(JSON.parse(lines[line - 1] ?? '').type).toMatch(/^(user|assistant)$/)
    }
    const [{ index, line }] = dropped
    const { stderr } = await runCli([...args, '--explain'])
    expect(stderr).toMatch(/^ *message +line +role/m)
    expect(stderr).toMatch(new RegExp(`^ *${index} +${line} +(user|assistant)`, 'm'))
  })

  test('messages that stay keep the bytes that the transcript has', async () => {
    const { stdout } = await runCli(['compact', EXAMPLE, '--target', '9000'])
    const transcript = await readFile(join(ROOT, EXAMPLE), 'utf8')
    const kept = JSON.parse(stdout).messages.filter(({ content }: { content: unknown }) =>
      transcript.includes(JSON.stringify(content)),
    )
    expect(kept.length).toBeGreaterThan(20)
    for (const { role, content } of kept) {
      expect(stdout).toContain(`{"role":"${role}","content":${JSON.stringify(content)}}`)
    }
  })

  test('it is told by its structure, also from stdin', async () => {
    const stdin = await readFile(join(ROOT, EXAMPLE))
    const fromFile = await runCli(['compact', EXAMPLE, '--target', '9000'])
    const fromStdin = await runCli(['compact', '--target', '9000'], { stdin })
    expect(fromStdin.stdout).toBe(fromFile.stdout)
    expect(fromStdin.stderr).toMatch(/^input +stdin: a Claude Code transcript/)
  })

  test('budget takes the window of the model that answered', async () => {
    const { stdout } = await runCli(['budget', EXAMPLE, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      format: 'anthropic-messages',
      contextWindow: { source: 'table' },
    })
  })
})

describe('what is pinned', () => {
  test("the summary of Claude Code's own compaction stays whatever the target", async () => {
    const words = 'carried forward '.repeat(200)
    const lines = [
      summary('k1', null, words),
      user('u0', 'k1', 'go on'),
      ...Array.from({ length: 40 }, (_, index) => [
        assistant(
          `a${index}`,
          index === 0 ? 'u0' : `v${index - 1}`,
          `m${index}`,
          text(`answer ${index} ${words}`),
        ),
        user(`v${index}`, `a${index}`, `question ${index}`),
      ]).flat(),
    ]
    const { stdout } = await runCli(['compact', '-t', '4000', '--json', '--explain', 'all'], {
      stdin: lines.join('\n'),
    })
    const { messages, actions } = JSON.parse(stdout)
    expect(messages.length).toBeLessThan(60)
    expect(messages[0]).toEqual({ role: 'user', content: words })
    expect(actions[0]).toMatchObject({ index: 0, line: 1, action: 'kept', reason: 'caller-pin' })
  })
})

describe('faults of a transcript', () => {
  test('a line that is no JSON is told by line and column, and its text is not repeated', async () => {
    const path = await fileOf('broken.jsonl', [...DIALOGUE, '{"type": secret}'])
    for (const command of ['compact', 'check', 'budget']) {
      const { code, stdout, stderr } = await runCli([command, path])
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain('line 6: column 10: is not JSON (json)')
      expect(stderr).not.toContain('secret')
    }
  })

  test('a missing parent is told by the line of its child', async () => {
    const path = await fileOf('orphan.jsonl', DIALOGUE.slice(1))
    const { code, stderr } = await runCli(['compact', path])
    expect(code).toBe(2)
    expect(stderr).toMatch(/line 1: parentUuid names a record .*\(existing-parent\)/)
  })

  test('a last line that is still being written is a warning, and the rest is used', async () => {
    const path = await fileOf('growing.jsonl', [...DIALOGUE, '{"parentUuid":"u2","ty'], '')
    const { code, stdout, stderr } = await runCli(['compact', path])
    expect(code).toBe(0)
    expect(JSON.parse(stdout).messages).toHaveLength(5)
    expect(stderr).toMatch(/warning line-cut-short: Line 6, the last one/)
    const json = JSON.parse((await runCli(['check', path, '--json'])).stdout)
    expect(json.warnings).toContainEqual(expect.objectContaining({ code: 'line-cut-short' }))
  })

  test('a call that was interrupted is listed by check with its line', async () => {
    const path = await fileOf('interrupted.jsonl', [
      ...DIALOGUE,
      assistant('a3', 'u2', 'm3', call('c9')),
      user('u3', 'a3', '[Request interrupted by user for tool use]'),
      assistant('a4', 'u3', 'm4', text('Understood.')),
    ])
    const { code, stdout } = await runCli(['check', path])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^\/messages\/5\S* +6 +call-without-result/m)
  })

  test('the transcript itself is never written over', async () => {
    const path = await fileOf('kept.jsonl', DIALOGUE)
    const { code, stderr } = await runCli(['compact', path, '-t', '50', '--output', path])
    expect(code).toBe(2)
    expect(stderr).toContain('this is the transcript itself')
    expect(await readFile(path, 'utf8')).toBe(`${DIALOGUE.join('\n')}\n`)
  })
})

test('a long transcript does not stay in memory', async () => {
  const noise = record('progress', 'p', { more: { data: 'x'.repeat(1_000_000) } })
  const path = await fileOf('long.jsonl', [
    ...Array.from({ length: 100 }, (_, index) => noise.replace('"uuid":"p"', `"uuid":"p${index}"`)),
    ...DIALOGUE,
  ])
  const { code, stdout, stderr } = await runCli(['compact', path], {
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(REPORT_MEMORY)}` },
  })
  expect(code, stderr).toBe(0)
  const conversation = JSON.parse(stdout)
  expect(conversation.messages).toHaveLength(5)
  expect(findFaults('anthropic-messages', conversation)).toEqual([])
  const megabytes = Number(/held (\d+) MB/.exec(stderr)?.[1])
  expect(megabytes).toBeGreaterThan(0)
  // The file has 100 MB; with one of a few lines it is about 45.
  expect(megabytes).toBeLessThan(90)
})

/** Most that was held at any time. Garbage is collected before each look: how much lies about is V8's choice. */
const REPORT_MEMORY = `
  import { setFlagsFromString } from 'node:v8'
  import { runInNewContext } from 'node:vm'
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  let held = 0
  const look = () => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    held = Math.max(held, heapUsed + external)
  }
  setInterval(look, 20).unref()
  process.on('exit', () => console.error('held ' + Math.round(held / 1e6) + ' MB'))
`
