/** Names under which a key stands in a query string, where proxies log it. */
const KEY_PARAMETER =
  /^(x-)?(api-?_?key|key|access-?_?token|token|auth|authorization|secret|password|subscription-key)$/i

/** What makes a URL unfit for an outbound service; undefined when nothing does. Never quotes it. */
export function urlFault(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return 'must be an http or https URL'
  }
  const hasKey = [...url.searchParams.keys()].some((name) => KEY_PARAMETER.test(name))
  if (url.username === '' && url.password === '' && !hasKey) return undefined
  return 'must not carry a key: it belongs in the variable for the key'
}
