import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sigmoid } from '../../src/decide/calibration/calibration.ts'
import { readCalibration } from '../../src/decide/calibration/read-calibration.ts'
import { createSeededRandom } from '../helpers/seeded-random.ts'

const run = promisify(execFile)
const SCRIPT = new URL('../../scripts/calibrate.ts', import.meta.url).pathname
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'calibrate-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function calibrate(data: string, ...options: string[]) {
  const file = join(folder, 'scores.jsonl')
  await writeFile(file, data)
  const argv = ['--import', 'tsx', SCRIPT, '--data', file, ...options]
  return run(process.execPath, argv).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }) => ({ code: Number(code), stdout, stderr: String(stderr) }),
  )
}

/** A reranker that says 0.1 where three in ten are needed. */
const { next: random } = createSeededRandom(11)
const JSONL = Array.from({ length: 1_000 }, (_, row) => {
  const logit = -5 + 8 * random()
  const needed = random() < sigmoid(logit + 1.35)
  return JSON.stringify({ score: sigmoid(logit), needed, id: `row ${row}` })
}).join('\n')

describe('npm run calibrate', () => {
  test.each(['platt', 'isotonic'])('prints tables and coefficients of %s', async (method) => {
    const { code, stdout } = await calibrate(`${JSONL}\n\n`, '--method', method, '--bins', '5')
    expect(code).toBe(0)
    const [head = '', before = '', after = '', last = ''] = stdout.trimEnd().split('\n\n')
    expect(head).toMatch(/^1000 rows, \d+ needed \(\d+\.\d%\), scores of scale unit$/)
    for (const table of [before, after]) {
      const counts = [...table.matchAll(/^ {2}\d\.\d\d-\d\.\d\d +(\d+) /gm)].map((row) =>
        Number(row[1]),
      )
      expect(counts).toHaveLength(5)
      expect(counts.reduce((sum, count) => sum + count)).toBe(1_000)
    }
    const errorOf = (table: string) => Number(/calibration error (\S+)/.exec(table)?.[1])
    expect(errorOf(before)).toBeGreaterThan(0.1)
    expect(errorOf(after)).toBeLessThan(0.05)
    const calibration = readCalibration(last.split('\n').at(-1) ?? '')
    expect(calibration).toMatchObject({ method, scale: 'unit' })
    if (calibration?.method === 'platt') expect(calibration.b).toBeCloseTo(1.35, 0)
  })

  test('takes scores beyond 0 and 1 for logits', async () => {
    const rows = JSONL.split('\n').map((line) => {
      const { score, needed } = JSON.parse(line)
      return JSON.stringify({ score: Math.log(score / (1 - score)), needed })
    })
    const { stdout } = await calibrate(rows.join('\n'))
    expect(stdout).toContain('scores of scale logit')
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/"scale":"logit"/)
  })

  test.each([
    [
      'lines that are no rows',
      '{"score":0.5,"needed":true}\n{"score":"secret"}\n',
      [],
      'in line 2',
    ],
    ['a score outside its scale', '{"score":1.5,"needed":true}', ['--scale', 'unit'], 'in line 1'],
    ['too few rows', '{"score":0.5,"needed":true}\n{"score":0.4,"needed":false}', [], '2 rows'],
    ['an unknown method', JSONL, ['--method', 'beta'], 'platt or isotonic'],
    ['bins that are none', JSONL, ['--bins', '1'], '2 to 100'],
    [
      'scores that rank the wrong way',
      JSONL.replaceAll('true', 'no').replaceAll('false', 'true').replaceAll('no', 'false'),
      [],
      'no higher scores',
    ],
  ])('refuses %s, and quotes nothing', async (_, data, options, words) => {
    const { code, stdout, stderr } = await calibrate(data, ...options)
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^calibrate: .*\n$/)
    expect(stderr).toContain(words)
    expect(stderr).not.toContain('secret')
  })
})
