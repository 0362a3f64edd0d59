import type { Paint } from './paint.ts'
import { padText, printable, textWidth, wrapText } from './text-width.ts'

export interface Fact {
  readonly name: string
  readonly text: string
  readonly style?: 'green' | 'yellow' | 'red'
}

/** Names at the left, what they are beside them; long texts go on below, within the width. */
export function renderFacts(
  facts: readonly Fact[],
  { width, paint }: { readonly width: number; readonly paint: Paint },
): readonly string[] {
  const nameWidth = Math.max(...facts.map(({ name }) => textWidth(name)))
  return facts.flatMap(({ name, text, style }) =>
    wrapText(printable(text), Math.max(1, width - nameWidth - 2)).map((line, row) => {
      const painted = style === undefined ? line : paint(style, line)
      return `${paint('bold', padText(row === 0 ? name : '', nameWidth, 'left'))}  ${painted}`
    }),
  )
}
