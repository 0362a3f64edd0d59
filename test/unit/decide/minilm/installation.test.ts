import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigError, loadConfig } from '../../../../src/config.ts'
import { installationFaults } from '../../../../src/decide/minilm/installation.ts'

let folder: string
let empty: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'precis-minilm-test-'))
  empty = mkdtempSync(join(tmpdir(), 'precis-marmot-'))
})
afterAll(() => {
  for (const each of [folder, empty]) rmSync(each, { recursive: true })
})

type Environment = Readonly<Record<string, string>>

function faultsOf(environment: Environment) {
  try {
    loadConfig(environment, Type.Object({}))
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

describe('installationFaults', () => {
  it('names all that is missing and how to make it, and no path', () => {
    const faults = installationFaults(join(empty, 'nowhere'))
    expect(faults).toEqual([
      'holds no encoder.int8.onnx: `npm run setup:minilm` makes it',
      'holds no vocabulary.txt: `npm run setup:minilm` makes it',
      'has no onnxruntime-node: `npm run setup:minilm` makes it',
    ])
  })

  it('tells another file from the one that the coefficients belong to', () => {
    writeFileSync(join(folder, 'encoder.int8.onnx'), 'something else')
    const runtime = join(folder, 'node_modules', 'onnxruntime-node')
    mkdirSync(runtime, { recursive: true })
    writeFileSync(join(runtime, 'index.js'), '')
    expect(installationFaults(folder)).toEqual([
      'holds another encoder.int8.onnx than this version needs: `npm run setup:minilm` makes it',
      'holds no vocabulary.txt: `npm run setup:minilm` makes it',
    ])
  })
})

describe('the configuration of the tier', () => {
  it('refuses to start without what has to be installed, beside all other faults', () => {
    const faults = faultsOf({
      PRECIS_DECIDE_EMBEDDED_MODEL: 'minilm',
      PRECIS_DECIDE_MINILM_FOLDER: empty,
      PRECIS_SUMMARIZER_DIALECT: 'openai',
    })
    expect(faults.map(({ variable }) => variable)).toEqual([
      'PRECIS_SUMMARIZER_URL',
      'PRECIS_SUMMARIZER_MODEL',
      'PRECIS_DECIDE_MINILM_FOLDER',
      'PRECIS_DECIDE_MINILM_FOLDER',
      'PRECIS_DECIDE_MINILM_FOLDER',
    ])
    expect(JSON.stringify(faults)).not.toContain('marmot')
  })

  it('refuses the tier where no model in this process is configured', () => {
    const faults = faultsOf({
      PRECIS_DECIDE_EMBEDDED_MODEL: 'minilm',
      PRECIS_DECIDE_WIRE: 'systemone',
      PRECIS_DECIDE_URL: 'https://decide.example/path',
    })
    expect(faults.map(({ variable }) => variable)).toEqual(['PRECIS_DECIDE_EMBEDDED_MODEL'])
  })

  it.each([
    ['PRECIS_DECIDE_EMBEDDED_MODEL', 'large'],
    ['PRECIS_DECIDE_MINILM_THREADS', '0'],
    ['PRECIS_DECIDE_MINILM_TIMEOUT_MS', '0'],
    ['PRECIS_DECIDE_MINILM_CACHE_BYTES', '-1'],
  ])('refuses %s=%s', (name, value) => {
    expect(faultsOf({ [name]: value }).map(({ variable }) => variable)).toEqual([name])
  })

  it('looks for nothing where the static model is chosen', () => {
    expect(faultsOf({ PRECIS_DECIDE_MINILM_FOLDER: empty })).toEqual([])
  })
})
