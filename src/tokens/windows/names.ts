/** Model names come from callers: longer ones are not names of models. */
const MAX_NAME_LENGTH = 256

/** Suffixes of OpenRouter that choose a route or a price, not another model. */
const ROUTE_SUFFIXES = [':batch', ':beta', ':nitro', ':floor', ':online', ':exacto', ':thinking']

/** What dates or versions a model without changing it. */
const VERSION_SUFFIXES = Object.values({
  /** 20250514 */
  day: /[-@]20\d{6}$/,
  /** 2026-03-05 */
  dashedDay: /[-@]20\d\d-\d\d-\d\d$/,
  /** 05-06, 09-2025: Google's previews */
  monthOf: /-\d\d-(?:\d\d|20\d\d)$/,
  /** 0613, 2508: month and day, or year and month */
  fourDigits: /-\d{4}$/,
  /** 001: Google's stable versions */
  threeDigits: /-\d{3}$/,
  /** v1:0, v1: Bedrock's versions */
  bedrock: /-v\d+(?::\d+)?$/,
  rolling: /[-@:](?:latest|default)$/,
})

/**
 * One spelling for each name: lower case, and a dash for the dot of a version ("claude-opus-4.6" is
 * "claude-opus-4-6"). Length is kept, so that positions agree with the lower-cased name.
 */
export function normaliseName(name: string): string {
  return name.toLowerCase().replaceAll(/(?<=\d)\.(?=\d)/g, '-')
}

/**
 * The name with vendor prefixes taken off one at a time, the whole name first:
 * `azure/openai/gpt-4o`, `openai/gpt-4o`, `gpt-4o`; `us.anthropic.claude-…`, `anthropic.claude-…`,
 * `claude-…`; `openai:gpt-4o`; `ft:gpt-4o-mini:org::id` gives its base model. Lower-cased.
 */
export function withoutVendor(model: string): readonly string[] {
  const trimmed = model.trim().toLowerCase()
  if (trimmed === '' || trimmed.length > MAX_NAME_LENGTH) return []
  const forms = [trimmed]
  let rest = trimmed
  for (;;) {
    const next = dropPrefix(rest)
    if (next === undefined) return forms
    forms.push(next)
    rest = next
  }
}

function dropPrefix(name: string): string | undefined {
  const slash = name.indexOf('/')
  if (slash !== -1) return name.slice(slash + 1)
  if (name.startsWith('~')) return name.slice(1)
  if (name.startsWith('ft:')) return name.slice(3).split(':', 1)[0]
  return /^[a-z][a-z_-]*[.:](?=[a-z])(.+)$/.exec(name)?.[1]
}

/**
 * The name with what only dates, versions or routes a model taken off, one suffix at a time; the
 * whole name is not among them. `-preview`, `-fast`, `:free` stay: they can be other models.
 */
export function withoutVersion(name: string): readonly string[] {
  const forms: string[] = []
  let rest = name
  for (;;) {
    const next = dropSuffix(rest)
    if (next === undefined || next === '') return forms
    forms.push(next)
    rest = next
  }
}

function dropSuffix(name: string): string | undefined {
  if (name.endsWith('[1m]')) return name.slice(0, -4)
  const route = ROUTE_SUFFIXES.find((suffix) => name.endsWith(suffix))
  if (route !== undefined) return name.slice(0, -route.length)
  for (const suffix of VERSION_SUFFIXES) {
    const match = suffix.exec(name)
    if (match !== null) return name.slice(0, match.index)
  }
  return undefined
}
