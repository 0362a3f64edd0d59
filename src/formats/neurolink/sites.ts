import type { JsonObject } from '../../engine/transcript.ts'
import { isArray, isRecord, textMember } from '../json.ts'

/** Where a part stands in its message. Reading and writing number the parts by this one list. */
export type Site =
  | { readonly at: 'content'; readonly block: number }
  | { readonly at: 'call' }
  /** The whole output of a tool. */
  | { readonly at: 'result' }
  | { readonly at: 'error' }

/** String content is block 0; empty strings are no part. */
export function sitesOf(message: JsonObject): Site[] {
  if (message.role === 'tool_result') {
    return errorOf(message) === undefined ? [{ at: 'result' }] : [{ at: 'result' }, { at: 'error' }]
  }
  const { content } = message
  const blocks = isArray(content)
    ? content.length
    : textMember(message, 'content') === undefined
      ? 0
      : 1
  const sites: Site[] = []
  for (let block = 0; block < blocks; block += 1) sites.push({ at: 'content', block })
  if (message.role === 'tool_call') sites.push({ at: 'call' })
  return sites
}

export function errorOf({ result }: JsonObject): string | undefined {
  return isRecord(result) ? textMember(result, 'error') : undefined
}
