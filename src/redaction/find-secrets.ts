import { lintSource } from '@secretlint/core'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'
import { SECRET_SHAPES } from './secret-shapes.ts'
import { silenceProfiler } from './silence-profiler.ts'

export interface SecretRange {
  readonly start: number
  readonly end: number
}

const PRESET = '@secretlint/secretlint-rule-preset-recommend'

silenceProfiler()

/**
 * Where the text holds secrets of known shapes: those of secretlint's recommended preset, and
 * `SECRET_SHAPES`. In order, without overlaps. Shapes are all that is known: a secret that looks like a
 * word is not found.
 */
export async function findSecrets(text: string): Promise<readonly SecretRange[]> {
  const { messages } = await lintSource({
    source: { content: text, filePath: 'text.txt', ext: '.txt', contentType: 'text' },
    options: {
      config: { rules: [{ id: PRESET, rule: creator }] },
      noPhysicFilePath: true,
    },
  })
  const ranges = messages.flatMap(({ range: [start, end] }) =>
    start < end ? [{ start, end }] : [],
  )
  for (const shape of SECRET_SHAPES) {
    for (const match of text.matchAll(shape)) {
      ranges.push({ start: match.index, end: match.index + match[0].length })
    }
  }
  return merged(ranges)
}

function merged(ranges: readonly SecretRange[]): SecretRange[] {
  const result: SecretRange[] = []
  for (const range of [...ranges].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1)
    if (last === undefined || range.start >= last.end) result.push({ ...range })
    else if (range.end > last.end) result.splice(-1, 1, { start: last.start, end: range.end })
  }
  return result
}
