import { documentRange, memberRanges, type ValueRange } from '../../json-text/ranges.ts'

/**
 * Where the value at a path of member names stands in the bytes of a JSON document that has been
 * parsed; undefined where there is none. Of several members of one name the last, as JSON.parse has it.
 */
export function valueAt(text: Buffer, path: readonly string[]): ValueRange | undefined {
  let range: ValueRange | undefined = documentRange(text)
  for (const name of path) {
    if (range === undefined) return undefined
    range = memberRanges(text, range).findLast(({ key }) => key === name)?.valueRange
  }
  return range
}
