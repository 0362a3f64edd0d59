import { ANTHROPIC } from './windows/anthropic.ts'
import { GOOGLE } from './windows/google.ts'
import { normaliseName, withoutVendor, withoutVersion } from './windows/names.ts'
import { OPEN_WEIGHTS } from './windows/open-weights.ts'
import { OPENAI } from './windows/openai.ts'
import { OTHERS } from './windows/others.ts'

/**
 * Window of a model that nothing is known of, in tokens: 97.6% of the 1,698 chat models that pi-ai
 * 1.6.0 lists take at least this many. docs/decisions/0002-model-windows.md argues it.
 */
export const DEFAULT_CONTEXT_WINDOW = 128_000

export interface WindowLimits {
  /** Tokens of input and output together. */
  readonly contextWindow: number
  /** Of an override: the output reserve of every request that names none. */
  readonly maxOutputTokens?: number
}

export interface ModelWindow {
  readonly contextWindow: number
  /**
   * Undefined where it is not known. From an override the output reserve; from the table what the
   * model can write at most, which no budget rests on.
   */
  readonly maxOutputTokens: number | undefined
  /** `default` means that the model is not known: the caller should be warned. */
  readonly source: 'override' | 'table' | 'default'
  /** Entry that gave the numbers, or that holds an unknown relative below the default. */
  readonly matched?: string
}

export interface WindowTable {
  /** Never throws, whatever the name. */
  readonly lookup: (model: string | undefined) => ModelWindow
}

interface Limits extends WindowLimits {
  readonly name: string
}

/** Limits of the built-in table, by normalised name. */
const TABLE: ReadonlyMap<string, Limits> = buildTable()

function buildTable(): Map<string, Limits> {
  const table = new Map<string, Limits>()
  for (const { models, contextWindow, maxOutputTokens } of [
    ...OPENAI,
    ...ANTHROPIC,
    ...GOOGLE,
    ...OPEN_WEIGHTS,
    ...OTHERS,
  ]) {
    const limits = { contextWindow, ...(maxOutputTokens !== undefined && { maxOutputTokens }) }
    for (const name of models) table.set(normaliseName(name), { name, ...limits })
  }
  return table
}

/** Names of the built-in table, as their makers spell them. */
export const KNOWN_MODELS: readonly string[] = [...TABLE.values()].map((limits) => limits.name)

/**
 * Looks up context and output limits by a model's name. Overrides win over the table; within each,
 * the name as it is wins over the name without vendor prefixes, and that over the name without date
 * or version. A name that is not known by any of these gets the default and never the window of a
 * larger relative: `gpt-5.4-nano-next` is not `gpt-5.4-nano`, and `gpt-4-next`, whose nearest known
 * relative is smaller than the default, gets that relative's window.
 *
 * Throws RangeError when an override is not of positive whole numbers, or leaves no input space.
 */
export function createWindowTable(
  options: { readonly overrides?: Readonly<Record<string, WindowLimits>> } = {},
): WindowTable {
  const overrides = new Map<string, Limits>()
  for (const [name, limits] of Object.entries(options.overrides ?? {})) {
    assertLimits(name, limits)
    overrides.set(normaliseName(name.trim()), { name, ...limits })
  }
  return {
    lookup(model) {
      const bare = withoutVendor(model ?? '')
      const names = [...bare, ...bare.flatMap(withoutVersion)].map(normaliseName)
      const override = firstOf(overrides, names)
      if (override !== undefined) return toWindow(override, 'override')
      const known = firstOf(TABLE, names)
      if (known !== undefined) return toWindow(known, 'table')
      return toDefault([overrides, TABLE], bare)
    },
  }
}

function assertLimits(name: string, limits: WindowLimits): void {
  for (const value of [limits.contextWindow, limits.maxOutputTokens ?? 1]) {
    if (Number.isSafeInteger(value) && value > 0) continue
    throw new RangeError(`Window of model "${name}": limits must be whole numbers above zero.`)
  }
  // An override's output is reserved for the answer: nothing would be left to compact into.
  if (limits.maxOutputTokens !== undefined && limits.maxOutputTokens >= limits.contextWindow) {
    throw new RangeError(`Window of model "${name}": its output must be less than its window.`)
  }
}

function firstOf(table: ReadonlyMap<string, Limits>, names: readonly string[]): Limits | undefined {
  for (const name of names) {
    const limits = table.get(name)
    if (limits !== undefined) return limits
  }
  return undefined
}

function toWindow(limits: Limits, source: 'override' | 'table'): ModelWindow {
  return {
    contextWindow: limits.contextWindow,
    maxOutputTokens: limits.maxOutputTokens,
    source,
    matched: limits.name,
  }
}

function toDefault(
  tables: readonly ReadonlyMap<string, Limits>[],
  names: readonly string[],
): ModelWindow {
  const unknown = { maxOutputTokens: undefined, source: 'default' } as const
  const relative = nearestRelative(tables, names)
  if (relative === undefined || relative.contextWindow >= DEFAULT_CONTEXT_WINDOW) {
    return { contextWindow: DEFAULT_CONTEXT_WINDOW, ...unknown }
  }
  return { contextWindow: relative.contextWindow, ...unknown, matched: relative.name }
}

/**
 * The longest known name that the unknown one begins with, up to a token boundary. A dot is not a
 * boundary: `gpt-4.9` is another generation than `gpt-4`, not a variant of it.
 */
function nearestRelative(
  tables: readonly ReadonlyMap<string, Limits>[],
  names: readonly string[],
): Limits | undefined {
  for (const name of names) {
    const normalised = normaliseName(name)
    for (let end = name.length - 1; end > 0; end -= 1) {
      if (!'-_:@['.includes(name.charAt(end))) continue
      for (const table of tables) {
        const limits = table.get(normalised.slice(0, end))
        if (limits !== undefined) return limits
      }
    }
  }
  return undefined
}
