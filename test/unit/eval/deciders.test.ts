import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readDialogues } from '../../../eval/embedded-model/composites.ts'
import { listDeciders } from '../../../eval/lib/deciders.ts'
import { readHeldOutDialogues } from '../../../eval/lib/dialogues.ts'
import { ConfigError } from '../../../src/config.ts'

describe('listDeciders', () => {
  test('measures the embedded model, and no other where none is configured', () => {
    for (const environment of [
      {},
      { PRECIS_DECIDE_WIRE: 'none' },
      { PRECIS_DECIDE_WIRE: 'embedded' },
    ]) {
      expect(listDeciders(environment).map(({ name }) => name)).toEqual(['embedded'])
    }
  })

  test('adds the model that the environment configures, and hands on no other variables', () => {
    const variables = {
      PRECIS_DECIDE_WIRE: 'systemone',
      PRECIS_DECIDE_URL: 'https://decide.example/v1',
      PRECIS_DECIDE_API_KEY: 'a-key-of-a-caller',
    }
    const [embedded, remote, ...others] = listDeciders({
      ...variables,
      PRECIS_PORT: '1',
      HOME: '/',
    })
    expect(embedded?.environment).toEqual({ PRECIS_DECIDE_WIRE: 'embedded' })
    expect(remote?.decide.traits.wire).toBe('systemone')
    expect(remote?.environment).toEqual(variables)
    expect(others).toEqual([])
  })

  test('adds a chain, whichever wire is its first', () => {
    const url = 'https://decide.example/v1'
    const secondOf = (chain: string) => {
      const variables = { PRECIS_DECIDE_CHAIN: chain, PRECIS_DECIDE_URL: url }
      const [, second] = listDeciders(variables)
      expect(second?.environment).toEqual(variables)
      return second
    }
    expect(secondOf('systemone,embedded')?.name).toBe('systemone then embedded')
    expect(secondOf('embedded,systemone')?.name).toBe('embedded then systemone')
    expect(listDeciders({ PRECIS_DECIDE_CHAIN: 'embedded' }).map(({ name }) => name)).toEqual([
      'embedded',
    ])
  })

  test('does not measure something else where the configuration cannot work', () => {
    expect(() => listDeciders({ PRECIS_DECIDE_CHAIN: 'systemone,embedded' })).toThrow(ConfigError)
  })
})

describe('readHeldOutDialogues', () => {
  test('takes what the fit leaves out, and nothing that it takes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'precis-eval-'))
    try {
      mkdirSync(join(folder, 'mt-bench-101'))
      const lines = Array.from({ length: 80 }, (_, id) =>
        JSON.stringify({ history: [{ user: `question ${id}`, bot: 'answer' }] }),
      )
      writeFileSync(join(folder, 'mt-bench-101', 'mtbench101.jsonl'), lines.join('\n'))
      const { dialogues, fitted } = readHeldOutDialogues(folder)
      const seen = new Set(readDialogues(folder).fit.map(({ history }) => history[0]?.user))
      expect(fitted).toBe(seen.size)
      expect(dialogues.length).toBe(80 - fitted)
      expect(dialogues.length).toBeGreaterThan(5)
      expect(dialogues.filter(({ history }) => seen.has(history[0]?.user ?? ''))).toEqual([])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
