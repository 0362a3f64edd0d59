import { endToEndHeaders, type RawHeaders } from './hop-by-hop.ts'

/** Set anew for the upstream, or between this service and its caller only. */
const OF_THE_HOP: ReadonlySet<string> = new Set(['host', 'content-length', 'expect'])

/** What a body says of itself, and no other body may say. */
const OF_THE_BODY: ReadonlySet<string> = new Set([
  ...OF_THE_HOP,
  'content-digest',
  'content-encoding',
  'content-md5',
  'digest',
  'repr-digest',
])

/** The caller's headers as the upstream gets them, keys among them, with the bytes as they came. */
export function headersForSameBody(raw: RawHeaders): string[] {
  return endToEndHeaders(raw, OF_THE_HOP)
}

/** The same for a body that was rewritten: plain JSON, whatever the one that came was packed in. */
export function headersForNewBody(raw: RawHeaders): string[] {
  return endToEndHeaders(raw, OF_THE_BODY)
}
