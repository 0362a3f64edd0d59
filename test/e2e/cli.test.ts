/** The command line as its users run it: a process with streams, files and an exit code. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { VERSION } from '../../src/version.ts'
import { newFaults } from '../helpers/wire-rules/index.ts'
import { BUILD_MS, type BuiltCli, buildCli, ROOT } from './cli-process.ts'

const EXAMPLE = 'examples/coding-session.json'

let cli: BuiltCli
let folder: string
let runCli: BuiltCli['run']

beforeAll(async () => {
  cli = await buildCli()
  folder = cli.folder
  runCli = cli.run
}, BUILD_MS)

afterAll(() => cli?.remove())

async function fileOf(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

const exampleText = () => readFile(join(ROOT, EXAMPLE), 'utf8')

/** What the engine knows no member of must come back as it was, down to the bytes. */
const ODD_BODY =
  '{ "temperature": 1.0, "seed": 12345678901234567890, "messages" : [ {"role":"user","content":"caf\\u00e9"} ],\n "stop":["x"] }\n'

describe('precis compact', () => {
  test('writes the smaller document to stdout and the table to stderr', async () => {
    const { code, stdout, stderr } = await runCli(['compact', EXAMPLE, '--target', '13000'])
    expect(code).toBe(0)
    const before = JSON.parse(await exampleText())
    const after = JSON.parse(stdout)
    expect(after.messages.length).toBeLessThan(before.messages.length)
    expect({ ...after, messages: [] }).toEqual({ ...before, messages: [] })
    expect(newFaults('openai-chat', before, after)).toEqual([])
    expect(stderr).toMatch(/^result {5}26,096 → 12,\d{3} tokens, 50% saved; fits$/m)
    expect(stderr).toMatch(/^truncate {5}applied/m)
    expect(stderr).toMatch(/dropped +truncate +oldest/)
    expect(stderr).not.toContain('\u001b')
    for (const line of stderr.split('\n')) expect(line.length).toBeLessThanOrEqual(120)
  })

  test('messages that stay keep their bytes, and so does all around them', async () => {
    const { stdout } = await runCli(['compact', EXAMPLE, '--target', '13000'])
    const text = await exampleText()
    const before = JSON.parse(text)
    const kept = JSON.parse(stdout).messages.filter((message: { role: string }) =>
      before.messages.some((each: unknown) => JSON.stringify(each) === JSON.stringify(message)),
    )
    expect(kept.length).toBeGreaterThan(60)
    const indented = (value: unknown) =>
      JSON.stringify(value, undefined, 2).replaceAll('\n', '\n    ')
    for (const message of kept) expect(stdout).toContain(indented(message))
    expect(stdout.endsWith(text.slice(text.lastIndexOf('"tools": [')))).toBe(true)
  })

  test('a document that is small enough comes back byte for byte, from stdin too', async () => {
    const run = await runCli(['compact', '-', '--format', 'openai-chat'], { stdin: ODD_BODY })
    expect(run).toMatchObject({ code: 0, stdout: ODD_BODY })
    expect(run.stderr).toContain('tokens, unchanged; fits')
    expect(await runCli(['compact', '--format', 'openai-chat'], { stdin: ODD_BODY })).toMatchObject(
      {
        code: 0,
        stdout: ODD_BODY,
      },
    )
  })

  test('a bare list of messages comes back as one', async () => {
    const { messages } = JSON.parse(await exampleText())
    const { code, stdout } = await runCli(['compact', '-t', '13000', '--model', 'gpt-4o'], {
      stdin: JSON.stringify(messages),
    })
    expect(code).toBe(0)
    const after = JSON.parse(stdout)
    expect(after.slice(0, 2)).toEqual(messages.slice(0, 2))
    expect(after.length).toBeLessThan(messages.length)
  })

  test.each(['contents', 'input'])('a conversation under %s comes back there', async (list) => {
    const items = Array.from({ length: 21 }, (_, index) => {
      const text = `${index} ${'the quick brown fox jumps over the lazy dog '.repeat(20)}`
      const isUser = index % 2 === 0
      return list === 'contents'
        ? { role: isUser ? 'user' : 'model', parts: [{ text }] }
        : { type: 'message', role: isUser ? 'user' : 'assistant', content: text }
    })
    const body = { temperature: 0, [list]: items }
    const whole = await runCli(['compact', '-t', '2500'], { stdin: JSON.stringify(body) })
    expect(whole.code, whole.stderr).toBe(0)
    const after = JSON.parse(whole.stdout)
    expect(Object.keys(after)).toEqual(['temperature', list])
    expect(after[list].length).toBeLessThan(21)
    const bare = await runCli(['compact', '-t', '2500'], { stdin: JSON.stringify(items) })
    expect(JSON.parse(bare.stdout)).toEqual(after[list])
  })

  test('ends with 1 where the target cannot be met, and says what holds the tokens', async () => {
    const { code, stdout, stderr } = await runCli(['compact', EXAMPLE, '--target', '100'])
    expect(code).toBe(1)
    expect(JSON.parse(stdout).messages.length).toBeGreaterThan(0)
    expect(stderr).toMatch(/does not fit/)
    expect(stderr).toMatch(/^floor +[\d,]+ tokens that nothing removes: instructions/m)
  })

  test('--json writes the whole result, and --dry-run leaves the conversation out', async () => {
    const args = ['compact', EXAMPLE, '--target', '13000', '--json']
    const whole = await runCli(args)
    expect(whole).toMatchObject({ code: 0, stderr: '' })
    const result = JSON.parse(whole.stdout)
    expect(result).toMatchObject({ outcome: 'compacted', fits: true, format: 'openai-chat' })
    const saved = result.actions.reduce(
      (sum: number, each: { tokensBefore: number; tokensAfter: number }) =>
        sum + each.tokensBefore - each.tokensAfter,
      0,
    )
    expect(saved).toBe(result.tokensBefore - result.tokensAfter)
    const document = JSON.parse((await runCli(['compact', EXAMPLE, '--target', '13000'])).stdout)
    expect(result.messages).toEqual(document.messages)

    const dry = JSON.parse((await runCli([...args, '--dry-run'])).stdout)
    expect(dry).not.toHaveProperty('messages')
    expect(dry.actions).toEqual(result.actions)
  })

  test('--dry-run alone writes the table and no document', async () => {
    const { code, stdout, stderr } = await runCli(['compact', EXAMPLE, '-t', '13000', '--dry-run'])
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toContain('dry run: nothing was written')
  })

  test('--output writes the file and nothing to stdout', async () => {
    const output = join(folder, 'smaller.json')
    const { code, stdout } = await runCli(['compact', EXAMPLE, '-t', '13000', '-o', output])
    expect([code, stdout]).toEqual([0, ''])
    expect(JSON.parse(await readFile(output, 'utf8')).messages.length).toBeLessThan(100)
  })

  test('settings reach the engine', async () => {
    const args = ['compact', EXAMPLE, '-t', '13000', '--json', '--dry-run']
    const plain = JSON.parse((await runCli(args)).stdout)
    const dropped = plain.actions.find((each: { action: string }) => each.action === 'dropped')
    const settled = JSON.parse(
      (
        await runCli([
          ...args,
          ...['--profile', 'rubyn', '--option', 'truncate.enabled=false'],
          ...['--pin', String(dropped.index), '--explain', 'all'],
        ])
      ).stdout,
    )
    const pinned = settled.actions.find(({ index }: { index: number }) => index === dropped.index)
    expect(pinned).toMatchObject({ action: 'kept', reason: 'caller-pin' })
    expect(
      settled.stages.map(({ stage, status }: Record<string, string>) => [stage, status]),
    ).toContainEqual(['truncate', 'disabled'])
    expect(settled.stages).toContainEqual(expect.objectContaining({ stage: 'collapse' }))
    expect(
      settled.stages.find(({ stage }: { stage: string }) => stage === 'collapse').status,
    ).not.toBe('disabled')
  })

  test('--explain lists every message that changed in a row of its own', async () => {
    const rows = (text: string) => text.split('\n').filter((line) => / dropped +/.test(line)).length
    const args = ['compact', EXAMPLE, '-t', '13000', '--dry-run']
    const grouped = (await runCli(args)).stderr
    const listed = (await runCli([...args, '--explain'])).stderr
    const all = (await runCli([...args, '--explain', 'all'])).stderr
    expect(rows(listed)).toBeGreaterThan(50)
    expect(rows(grouped)).toBeLessThan(20)
    expect(all).toMatch(/ kept +first-task/)
    expect(listed).not.toMatch(/ kept +/)
  })

  test('a setting that stands in the document is not read, and that is said', async () => {
    expect((await runCli(['compact', EXAMPLE, '--dry-run'])).stderr).toMatch(
      /warning setting-not-read: \/targetTokens .* use --target/,
    )
  })
})

describe('precis check', () => {
  const BROKEN = JSON.stringify({
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'tool', tool_call_id: 'nobody', content: 'secret words' },
    ],
  })

  test('a valid conversation ends with 0', async () => {
    const { code, stdout, stderr } = await runCli(['check', EXAMPLE])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^result {2}valid$/m)
  })

  test('violations are listed by pointer and rule, and end with 1', async () => {
    const { code, stdout } = await runCli(['check'], { stdin: BROKEN })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^pointer +rule +detail$/m)
    expect(stdout).toMatch(/^\/messages\/1 +result-without-call /m)
    expect(stdout).not.toContain('secret')
  })

  test('--json gives them to programs', async () => {
    const { code, stdout } = await runCli(['check', '--json'], { stdin: BROKEN })
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      format: 'openai-chat',
      valid: false,
      violations: [{ rule: 'result-without-call', pointer: '/messages/1' }],
    })
  })

  test('what compact writes is valid', async () => {
    const { stdout } = await runCli(['compact', EXAMPLE, '-t', '13000'])
    expect((await runCli(['check', '-'], { stdin: stdout })).code).toBe(0)
  })
})

describe('precis budget', () => {
  test('shows the arithmetic, each number with its source', async () => {
    const { code, stdout } = await runCli(['budget', EXAMPLE, '--context-window', '20000'])
    expect(code).toBe(0)
    expect(stdout).toContain('compaction is due')
    expect(stdout).toMatch(/^context window +20,000 +request/m)
    expect(stdout).toMatch(/^output reserve +7,000 +default/m)
  })

  test('--json gives it to programs', async () => {
    const { code, stdout } = await runCli(['budget', EXAMPLE, '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      format: 'openai-chat',
      contextWindow: { value: 128_000, source: 'table' },
      shouldCompact: false,
    })
  })
})

describe('help', () => {
  test('every command has help with examples and ends with 0', async () => {
    for (const args of [['--help'], ['compact', '--help'], ['check', '--help'], ['budget', '-h']]) {
      const { code, stdout, stderr } = await runCli(args)
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toMatch(/^Usage: precis/)
      expect(stdout).toMatch(/^Examples:\n {2}precis /m)
      expect(stdout).toMatch(/^Exit codes:/m)
    }
  })

  test('--version prints the version alone', async () => {
    expect(await runCli(['--version'])).toMatchObject({
      code: 0,
      stdout: `${VERSION}\n`,
      stderr: '',
    })
  })
})

describe('what goes wrong', () => {
  const fails = async (args: readonly string[], stdin = '') => {
    const { code, stdout, stderr } = await runCli(args, { stdin })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^precis: /)
    expect(stderr).not.toMatch(/ {4}at |node:internal/)
    return stderr
  }

  test.each([
    [['compact', '--nonsense'], /unknown option '--nonsense'/],
    [['compakt'], /unknown command 'compakt'/],
    [['compact', '--target', 'many'], /must be a whole number/],
    [['compact', '--profile', 'best'], /Allowed choices are neurolink, agent, rubyn/],
    [['compact', '--option', 'prune'], /name=value/],
    [['check', 'one', 'two'], /too many arguments/],
  ] as const)('%j is told by the option', async (args, message) => {
    expect(await fails(args)).toMatch(message)
  })

  test('no command at all prints the help and ends with 2', async () => {
    const { code, stderr } = await runCli([])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^Usage: precis/)
  })

  test('settings that break a rule are told by their option', async () => {
    const stderr = await fails(
      ['compact', '-t', '0', '--option', 'prune.keepResults=-1', '--option', 'prune.nonsense=1'],
      ODD_BODY,
    )
    expect(stderr).toMatch(/--target: .*\(minimum\)/)
    expect(stderr).toMatch(/--option prune.keepResults: .*\(minimum\)/)
    expect(stderr).toMatch(/--option prune.nonsense: .*\(additionalProperties\)/)
  })

  test('a pin that names no message is told', async () => {
    expect(
      await fails(['compact', '-t', '9', '--pin', '7', '--format', 'openai-chat'], ODD_BODY),
    ).toMatch(/--pin.*must be the number of a message/)
  })

  test('a missing file, a directory and a folder that is not there are told', async () => {
    expect(await fails(['compact', join(folder, 'nothing.json')])).toMatch(/there is no such file/)
    expect(await fails(['check', folder])).toMatch(/it is a directory/)
    const { code, stderr } = await runCli(['compact', EXAMPLE, '-o', join(folder, 'no', 'file')])
    expect([code, stderr]).toEqual([2, expect.stringContaining('there is no such file')])
  })

  test('text that is no JSON is told by line and column, and not repeated', async () => {
    const stderr = await fails(['compact'], '{\n  "messages": [secret]\n}')
    expect(stderr).toContain('line 2, column 16')
    expect(stderr).not.toContain('secret')
    expect(await fails(['check'], '')).toContain('input is empty')
  })

  test('a conversation that cannot be read is told by pointer and rule', async () => {
    const body = {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'judge', content: 'secret' },
      ],
    }
    const stderr = await fails(['compact', '--format', 'openai-chat'], JSON.stringify(body))
    expect(stderr).toMatch(/\/messages\/1\/role: .*\(role-unknown\)/)
    expect(stderr).not.toContain('secret')
  })

  test.each(['42', '"text"', '{}', '{"messages":[]}', '[]', '{"messages":{}}'])(
    '%s holds no conversation',
    async (stdin) => {
      await fails(['compact', '-t', '10'], stdin)
    },
  )
})

describe('streams', () => {
  test('a reader that has seen enough ends it quietly', async () => {
    const child = cli.start(['compact', EXAMPLE, '-t', '13000', '--json'])
    child.stdin.end()
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk
    })
    child.stdout.destroy()
    const [code] = await once(child, 'close')
    expect([code, stderr]).toEqual([0, ''])
  })

  test('SIGINT ends it with 130 while it waits for input', async () => {
    const child = cli.start(['compact'])
    // Its modules are loaded and the handler is there once it has taken what was written.
    await new Promise<void>((resolve) => {
      child.stdin.write('{"messages":['.padEnd(1024 * 1024), () => resolve())
    })
    child.kill('SIGINT')
    expect(await once(child, 'close')).toEqual([130, null])
  })

  test('50 MB come through', async () => {
    const words = 'the quick brown fox jumps over the lazy dog and runs on '.repeat(180)
    const messages = Array.from({ length: 5_000 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `${index} ${words}`,
    }))
    const stdin = JSON.stringify({ model: 'gpt-4o', messages })
    expect(stdin.length).toBeGreaterThan(50_000_000)
    const { code, stdout } = await runCli(['compact', '-t', '50000', '--format', 'openai-chat'], {
      stdin,
    })
    expect(code).toBe(0)
    const after = JSON.parse(stdout)
    expect(after.messages[0]).toEqual(messages[0])
    expect(after.messages.at(-1)).toEqual(messages.at(-1))
    expect(stdout.length).toBeLessThan(1_000_000)
  }, 120_000)

  test('colours are for terminals', async () => {
    const { stdout } = await runCli(['check', EXAMPLE], { env: { TERM: 'xterm-256color' } })
    expect(stdout).not.toContain('\u001b')
  })

  test('the input may be a pipe with a name', async () => {
    const path = await fileOf('body.json', ODD_BODY)
    const piped = spawnSync(
      'sh',
      [
        '-c',
        'cat "$1" | "$2" "$3" check /dev/stdin --format openai-chat',
        'sh',
        path,
        process.execPath,
        cli.entry,
      ],
      { encoding: 'utf8' },
    )
    expect([piped.status, piped.stderr]).toEqual([0, ''])
    expect(piped.stdout).toContain('valid')
  })
})
