import type { Warning } from '../../engine/transcript.ts'
import { formatNumber } from './numbers.ts'
import type { Paint } from './paint.ts'
import { printable, wrapText } from './text-width.ts'

/** Warnings of one code beyond these are counted: a broken conversation has as many as messages. */
const MAX_PER_CODE = 3

export function warningLines(
  warnings: readonly Warning[],
  { width, paint }: { readonly width: number; readonly paint: Paint },
): readonly string[] {
  if (warnings.length === 0) return []
  const byCode = new Map<string, Warning[]>()
  for (const warning of warnings) {
    const same = byCode.get(warning.code)
    if (same === undefined) byCode.set(warning.code, [warning])
    else same.push(warning)
  }
  const lines = [...byCode].flatMap(([code, same]) => {
    const more = same.length - MAX_PER_CODE
    return [
      ...same
        .slice(0, MAX_PER_CODE)
        .map(
          ({ message, pointer = '' }) =>
            `${code}: ${pointer === '' ? '' : `${pointer} `}${message}`,
        ),
      ...(more > 0 ? [`${code}: and ${formatNumber(more)} more`] : []),
    ]
  })
  return [
    '',
    ...lines.flatMap((line) =>
      wrapText(`warning ${printable(line)}`, width).map((part) => paint('yellow', part)),
    ),
  ]
}
