import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NamedDecider } from './context.ts'
import { toMarkdown } from './markdown.ts'
import type { Result } from './result.ts'

export interface Run {
  readonly short: boolean
  readonly deciders: readonly NamedDecider[]
  readonly results: readonly Result[]
}

/** results.md, results.json and one SVG per plot. Numbers only: no text of any conversation. */
export function writeResults(folder: string, run: Run): void {
  mkdirSync(folder, { recursive: true })
  const { short, results } = run
  const report = toMarkdown(['# Results', ...headerOf(run)], results, {
    level: 2,
    plotFolder: '',
    withDetails: true,
  })
  const document = {
    models: modelsOf(run),
    form: short ? 'short' : 'long',
    results: results.map(({ plots, ...result }) => ({
      ...result,
      plots: plots.map(({ name, title }) => ({ name, title })),
    })),
  }
  writeFileSync(join(folder, 'results.md'), `${report}\n`)
  writeFileSync(join(folder, 'results.json'), `${JSON.stringify(document, undefined, 1)}\n`)
  for (const { name, svg } of results.flatMap(({ plots }) => plots)) {
    writeFileSync(join(folder, `${name}.svg`), svg)
  }
}

/** Puts the figures of a run into the page that shows the current ones. */
export function writeQualityPage(file: string, run: Run): void {
  const figures = toMarkdown(headerOf(run), run.results, {
    level: 3,
    plotFolder: '../eval/results/',
    withDetails: false,
  })
  writeFileSync(file, fillPage(readFileSync(file, 'utf8'), figures))
}

const START = '<!-- figures:start -->'
const END = '<!-- figures:end -->'

/** The page with the figures between its two marks in place of what was there. Throws without the marks. */
export function fillPage(page: string, figures: string): string {
  const [from, to] = [page.indexOf(START), page.indexOf(END)]
  if (from === -1 || to < from) throw new Error('the page has no place for figures')
  return `${page.slice(0, from + START.length)}\n\n${figures}\n\n${page.slice(to)}`
}

function headerOf(run: Run): string[] {
  const models = modelsOf(run).map(({ name, model }) => `${name} (${model})`)
  return [
    `Decide models: ${models.join(', ')}. ${run.short ? 'The short form: samples, whose figures are rough.' : 'The long form: whole sets.'}`,
    'In brackets: the 95% interval of a bootstrap.',
  ]
}

function modelsOf({ deciders }: Run): { name: string; model: string }[] {
  return deciders.map(({ name, decide }) => ({ name, model: decide.traits.model }))
}
