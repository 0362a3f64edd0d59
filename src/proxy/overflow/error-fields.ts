/** What the errors of many servers say of themselves, wherever they put it. */
export interface ErrorFields {
  /** Values of `code`, `type`, `status`, `reason` and the like, in lower case. */
  readonly kinds: ReadonlySet<string>
  readonly messages: readonly string[]
  /** Numbers by the names of their members, at any level. */
  readonly numbers: ReadonlyMap<string, number>
}

/** Members that name what kind of error it is. */
const KINDS: ReadonlySet<string> = new Set([
  '__type',
  'code',
  'error_code',
  'error_type',
  'reason',
  'status',
  'type',
])

/** Members that say it in words. xAI, Ollama and others have the words in `error` itself. */
const MESSAGES: ReadonlySet<string> = new Set(['message', 'error', 'detail', 'msg', 'raw'])

/** Gateways put the provider's error as JSON text into their own; deeper than this nobody does. */
const MAX_DEPTH = 6

/** Real errors have a dozen members. */
const MAX_MEMBERS = 200

export function readErrorFields(json: unknown): ErrorFields {
  const kinds = new Set<string>()
  const messages: string[] = []
  const numbers = new Map<string, number>()
  let seen = 0

  const readText = (name: string, text: string, depth: number): void => {
    if (KINDS.has(name)) kinds.add(text.trim().toLowerCase())
    if (!MESSAGES.has(name)) return
    messages.push(text)
    const inner = innerJson(text)
    if (inner !== undefined) visit(inner, depth + 1)
  }

  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return
    for (const [name, member] of Object.entries(value)) {
      seen += 1
      if (seen > MAX_MEMBERS) return
      if (typeof member === 'string') readText(name.toLowerCase(), member, depth)
      else if (typeof member === 'number') {
        numbers.set(name.toLowerCase(), member)
        if (KINDS.has(name.toLowerCase())) kinds.add(String(member))
      } else visit(member, depth + 1)
    }
  }

  visit(json, 0)
  return { kinds, messages, numbers }
}

/** JSON that is all of the text, or stands behind a few words of it. */
function innerJson(text: string): unknown {
  const start = text.search(/[[{]/)
  if (start === -1 || start > 200) return undefined
  try {
    return JSON.parse(text.slice(start).trim())
  } catch {
    return undefined
  }
}
