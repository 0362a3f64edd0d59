import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BUILD_MS, type BuiltCli, buildCli } from './cli-process.ts'

const EXAMPLE = 'examples/coding-session.json'

let cli: BuiltCli
let recording: string

beforeAll(async () => {
  cli = await buildCli()
  recording = join(cli.folder, 'answers.json')
}, BUILD_MS)

afterAll(() => cli?.remove())

const compact = (...flags: string[]) => cli.run(['compact', EXAMPLE, '--target', '13000', ...flags])

describe('precis compact with recorded answers', () => {
  test('writes what the model said, and decides by it again to the same bytes', async () => {
    const asked = await compact('--record', recording)
    expect(asked.code).toBe(0)
    const { decide } = JSON.parse(await readFile(recording, 'utf8'))
    expect(decide.calls[0].answers.length).toBeGreaterThan(20)
    const again = await compact('--replay', recording)
    expect(again.stdout).toBe(asked.stdout)
  })

  test('decides under other options by the answers that it is given', async () => {
    await compact('--record', recording)
    const recorded = JSON.parse(await readFile(recording, 'utf8'))
    for (const call of recorded.decide.calls) {
      for (const answer of call.answers) answer.probability = 0.001
    }
    await writeFile(recording, JSON.stringify({ report: 'of an inspector', recording: recorded }))
    const flags = ['--option', 'relevance.maxDropRatio=1', '--option', 'relevance.riskBudget=null']
    const { stdout } = await compact('--replay', recording, ...flags, '--json', '--dry-run')
    const { relevance } = JSON.parse(stdout)
    expect(relevance.dropped).toBe(relevance.asked)
  })

  test('names the option, the file and the place where a recording cannot be read', async () => {
    expect(await compact('--replay', join(cli.folder, 'none.json'))).toMatchObject({
      code: 2,
      stdout: '',
    })
    await writeFile(recording, '{')
    const cut = await compact('--replay', recording)
    expect([cut.code, cut.stderr]).toEqual([2, expect.stringContaining('it is not JSON')])
    await writeFile(recording, '{"decide":null}')
    const broken = await compact('--replay', recording)
    expect([broken.code, broken.stderr]).toEqual([2, expect.stringContaining('--replay')])
  })
})
