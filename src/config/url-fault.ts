/** Last words of names under which a key stands in a query string, where proxies log it. */
const KEY_WORD =
  /^(api|access|auth|client|secret|subscription)?(key|token|secret|password|passwd|pwd|auth|authorization|bearer|credentials?|sig|signature)$/i

/** `api-key`, `hf_token`, `clientSecret`; not `key-format`, which says something about keys. */
function namesKey(parameter: string): boolean {
  const words = parameter.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/)
  return KEY_WORD.test(words.findLast((word) => word !== '') ?? '')
}

/** What makes a URL unfit for an outbound service; undefined when nothing does. Never quotes it. */
export function urlFault(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return 'must be an http or https URL'
  }
  const hasKey = [...url.searchParams.keys()].some(namesKey)
  if (url.username === '' && url.password === '' && !hasKey) return undefined
  return 'must not carry a key: it belongs in the variable for the key'
}
