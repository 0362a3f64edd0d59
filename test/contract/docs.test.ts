import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { replaceSection } from '../../scripts/generated-files.ts'
import {
  documentedVariables,
  environmentExample,
  environmentTable,
  metricsTable,
} from '../../scripts/operations-sections.ts'
import { loadConfig } from '../../src/config.ts'
import { OptionsSchema } from '../../src/contract/options.ts'
import { ERRORS } from '../../src/engine/errors.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')

describe('docs/problems.md', () => {
  it('has a section for every code, with its status, and for nothing else', async () => {
    const text = await read('docs/problems.md')
    const sections = text.split(/^## /m).slice(1)
    const documented = sections.map((section) => {
      const [code = '', ...rest] = section.split('\n')
      return [code, /^\*\*(\d{3})\.\*\*/m.exec(rest.join('\n'))?.[1]]
    })
    expect(documented).toEqual(
      Object.entries(ERRORS).map(([code, { status }]) => [code, String(status)]),
    )
  })

  it('says in each section what it means and what to do', async () => {
    const sections = (await read('docs/problems.md')).split(/^## /m).slice(1)
    for (const section of sections) {
      const paragraphs = section.trim().split('\n\n').slice(1)
      expect(paragraphs.length).toBeGreaterThanOrEqual(2)
    }
  })
})

describe('docs/operations.md', () => {
  it('has the table of variables that the schema says', async () => {
    const text = await read('docs/operations.md')
    expect(replaceSection(text, 'environment', environmentTable())).toBe(text)
  })

  it('has the table of metrics that the registry says', async () => {
    const text = await read('docs/operations.md')
    expect(replaceSection(text, 'metrics', metricsTable())).toBe(text)
    const rows = text.match(/^\| `precis_/gm) ?? []
    const own = (await createMetrics().registry.getMetricsAsJSON()).filter(
      ({ name }) => !/^precis_(process|nodejs)_/.test(name),
    )
    expect(own.length).toBeGreaterThan(20)
    expect(rows).toHaveLength(own.length)
  })

  it('describes every variable', () => {
    for (const { name, schema } of documentedVariables()) {
      expect([name, schema.description]).toEqual([name, expect.stringMatching(/^[A-Z].*\.$/)])
    }
  })

  it('asks in its queries only for metrics that exist', async () => {
    const text = await read('docs/operations.md')
    const names = new Set(
      createMetrics()
        .registry.getMetricsAsArray()
        .map(({ name }) => name),
    )
    const asked = text.match(/precis_[a-z_]+(?=[[{)`( ]| ==)/g) ?? []
    expect(asked.length).toBeGreaterThan(30)
    for (const name of asked) {
      if (/^precis_(process|nodejs)_$/.test(name)) continue
      expect(names).toContain(name.replace(/_bucket$/, ''))
    }
  })

  it('mentions only variables that exist, like every document', async () => {
    const known = new Set(documentedVariables().map(({ name }) => name))
    for (const path of [
      'README.md',
      'docs/operations.md',
      'docs/problems.md',
      '.env.example',
      'Dockerfile',
      'docker-compose.yml',
    ]) {
      const names = (await read(path)).match(/PRECIS_[A-Z_]*[A-Z]\b/g) ?? []
      const unknown = names.filter((name) => name !== 'PRECIS_OPTION' && !known.has(name))
      expect([path, unknown]).toEqual([path, []])
    }
  })
})

describe('.env.example', () => {
  it('is what the schema says', async () => {
    expect(await read('.env.example')).toBe(environmentExample())
  })

  it('is a working configuration with every line switched on', async () => {
    const environment = Object.fromEntries(
      [...(await read('.env.example')).matchAll(/^#(PRECIS_[A-Z_]+)=(.*)$/gm)].map(
        ([, name, value]) => [name, value],
      ),
    )
    expect(Object.keys(environment)).toHaveLength(documentedVariables().length)
    expect(loadConfig(environment, OptionsSchema)).toEqual(loadConfig({}, OptionsSchema))
  })
})
