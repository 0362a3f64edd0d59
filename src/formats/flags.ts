import { parseMarker, SUMMARY_PREFIX } from '../engine/marker.ts'
import type { EntryFlags } from '../engine/transcript.ts'
import { type DraftEntry, NO_FLAGS } from './draft.ts'

/**
 * What the text of a message says about it, in the formats that have no member for it: the whole
 * text is one of our markers, or it begins with the summary header. Only a message of one text, as
 * we write them, is recognised; a quotation inside a longer message is not.
 */
export function flagsOfText(entry: DraftEntry): EntryFlags {
  const [only, ...others] = entry.parts
  if (only?.kind !== 'text' || others.length > 0) return NO_FLAGS
  if (entry.role !== 'user' && entry.role !== 'assistant') return NO_FLAGS
  if (only.text.startsWith(SUMMARY_PREFIX)) return { summary: true }
  return markerFlags(only.text) ?? NO_FLAGS
}

/** Undefined if the text is no marker. The count is left out where the marker does not say. */
export function markerFlags(text: string): EntryFlags | undefined {
  const count = parseMarker(text)
  if (count === undefined) return undefined
  return count > 0 ? { marker: true, markerCount: count } : { marker: true }
}
