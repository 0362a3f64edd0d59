import { isRecord, type JsonRecord } from './json.ts'

/**
 * Items by their `index`, the place of what they answer in the request. A place that does not exist
 * is nobody's, and one that is answered twice is not answered.
 */
export function readIndexed(
  items: readonly unknown[],
  count: number,
): ReadonlyMap<number, JsonRecord> {
  const byPlace = new Map<number, JsonRecord>()
  const repeated = new Set<number>()
  for (const item of items) {
    if (!isRecord(item)) continue
    const { index } = item
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count)
      continue
    if (byPlace.has(index)) repeated.add(index)
    byPlace.set(index, item)
  }
  for (const index of repeated) byPlace.delete(index)
  return byPlace
}
