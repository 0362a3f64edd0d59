/** Headers that are about one connection and not about the message (RFC 9110, section 7.6.1). */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** The service's own: told to it or by it, and never passed on in either direction. */
const OWN_PREFIX = 'x-precis-'

/** Names and values in turn, as Node.js and undici give and take them. */
export type RawHeaders = readonly string[]

/**
 * The headers that belong to the message, in their order and spelling, repeated ones repeated.
 *
 * @param omitted further names to leave out, in lower case
 */
export function endToEndHeaders(raw: RawHeaders, omitted: ReadonlySet<string>): string[] {
  const named = connectionTokens(raw)
  const kept: string[] = []
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? ''
    const key = name.toLowerCase()
    if (HOP_BY_HOP.has(key) || omitted.has(key) || key.startsWith(OWN_PREFIX)) continue
    if (named?.has(key)) continue
    kept.push(name, raw[index + 1] ?? '')
  }
  return kept
}

/** What the Connection header declares to be of this hop too. */
function connectionTokens(raw: RawHeaders): ReadonlySet<string> | undefined {
  let tokens: Set<string> | undefined
  for (let index = 0; index + 1 < raw.length; index += 2) {
    if (raw[index]?.toLowerCase() !== 'connection') continue
    tokens ??= new Set()
    for (const token of (raw[index + 1] ?? '').split(',')) tokens.add(token.trim().toLowerCase())
  }
  return tokens
}
