/** Sentences of WordNet: every definition with its words in front, and every example. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const FILES = ['data.noun', 'data.verb', 'data.adj', 'data.adv']

/** Distinct sentences in the order of the files. `folder` holds the data files of WordNet 3.1. */
export function readSentences(folder: string): string[] {
  const sentences = new Set<string>()
  for (const file of FILES) {
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      if (line.startsWith(' ') || line === '') continue
      const bar = line.indexOf('| ')
      if (bar < 0) continue
      const { definition, examples } = splitGloss(line.slice(bar + 2).trim())
      sentences.add(`${wordsOf(line).join(', ')}: ${definition}`)
      for (const example of examples) sentences.add(example)
    }
  }
  return [...sentences]
}

function wordsOf(line: string): string[] {
  const fields = line.split(' ')
  const count = Number.parseInt(fields[3] ?? '0', 16)
  return Array.from({ length: count }, (_, index) =>
    (fields[4 + 2 * index] ?? '').replace(/\(.*\)$/, '').replaceAll('_', ' '),
  )
}

function splitGloss(gloss: string) {
  const examples = [...gloss.matchAll(/"([^"]+)"/g)].flatMap(([, text]) => text ?? [])
  const definition = gloss.replaceAll(/"[^"]*"/g, ' ').replaceAll(/[;\s]+$|\s*;\s*(?=;)/g, '')
  return { definition, examples }
}
