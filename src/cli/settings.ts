/** Values of the command line, as the members of a request. */
import { InvalidArgumentError } from 'commander'

export interface BudgetSettings {
  readonly model?: string
  readonly format?: string
  readonly contextWindow?: number
  readonly maxOutputTokens?: number
  readonly compactionThreshold?: number
  readonly currentRequest?: string
}

export interface CompactSettings extends BudgetSettings {
  readonly target?: number
  readonly maxBytes?: number
  readonly lowWater?: number
  readonly profile?: string
  readonly pin?: readonly (number | string)[]
  readonly option?: OptionValues
}

/** `prune.keepResults` by its stage and name, as the request's `options` member nests them. */
export type OptionValues = Readonly<Record<string, unknown>>

export function parseWhole(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

export function parseShare(text: string): number {
  if (!/^\d*\.?\d+$/.test(text)) throw new InvalidArgumentError('It must be a number in (0, 1].')
  return Number(text)
}

/** Digits are the number of a message, anything else is its id. */
export function addPin(
  text: string,
  others: readonly (number | string)[] = [],
): readonly (number | string)[] {
  return [...others, /^\d+$/.test(text) ? Number(text) : text]
}

/** `name=value` or `stage.name=value`. The value is JSON, or a text where it is none. */
export function addOption(text: string, others: OptionValues = {}): OptionValues {
  const equals = text.indexOf('=')
  const [stage = '', name, ...rest] = text.slice(0, Math.max(0, equals)).split('.')
  if (stage === '' || name === '' || rest.length > 0) {
    throw new InvalidArgumentError('It must be name=value, such as prune.keepResults=2.')
  }
  const value = parseValue(text.slice(equals + 1))
  if (name === undefined) return { ...others, [stage]: value }
  const known = others[stage]
  return { ...others, [stage]: { ...(typeof known === 'object' ? known : {}), [name]: value } }
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export function toBudgetRequest(settings: BudgetSettings) {
  const { model, format, contextWindow, maxOutputTokens, compactionThreshold, currentRequest } =
    settings
  return {
    ...(model !== undefined && { model }),
    ...(format !== undefined && { format }),
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(compactionThreshold !== undefined && { compactionThreshold }),
    ...(currentRequest !== undefined && { currentRequest }),
  }
}

export function toCompactRequest(settings: CompactSettings) {
  const { target, maxBytes, lowWater, profile, pin, option } = settings
  return {
    ...toBudgetRequest(settings),
    ...(target !== undefined && { targetTokens: target }),
    ...(maxBytes !== undefined && { maxBytes }),
    ...(lowWater !== undefined && { lowWater }),
    ...(profile !== undefined && { profile }),
    ...(pin !== undefined && { pins: pin }),
    ...(option !== undefined && { options: option }),
  }
}

/** Options by the members of the request that they set, to name the option that is at fault. */
const OPTION_OF_MEMBER: Readonly<Record<string, string>> = {
  targetTokens: '--target',
  maxBytes: '--max-bytes',
  lowWater: '--low-water',
  profile: '--profile',
  pins: '--pin',
  options: '--option',
  replay: '--replay',
  model: '--model',
  format: '--format',
  contextWindow: '--context-window',
  maxOutputTokens: '--max-output-tokens',
  compactionThreshold: '--compaction-threshold',
  currentRequest: '--current-request',
}

/**
 * `/options/prune/keepResults` as `--option prune.keepResults`; undefined for what was not set on the
 * command line. `set` is what the command line became.
 */
export function optionAt(pointer: string, set: object): string | undefined {
  const [member = '', ...path] = pointer.split('/').slice(1)
  const option = Object.hasOwn(set, member) ? OPTION_OF_MEMBER[member] : undefined
  return option !== undefined && member === 'options' && path.length > 0
    ? `${option} ${path.join('.')}`
    : option
}
