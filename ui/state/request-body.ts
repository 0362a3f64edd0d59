/** The controls of the page, as the body of POST /compact. */
import type { OptionOverrides, ProfileName, RelevanceOptions } from '../../src/engine/options.ts'
import type { Recording, ServiceSettings } from '../data/answer.ts'
import type { Input } from '../data/read-input.ts'

export interface Settings {
  /** Empty: the deployment's own. */
  readonly profile: ProfileName | ''
  /** Empty: detected. */
  readonly format: string
  readonly model: string
  readonly target: Target
  readonly request: CurrentRequest
}

export type Target =
  | { readonly by: 'percent'; readonly percent: number }
  | { readonly by: 'tokens'; readonly tokens: number }
  /** From the window of the model. */
  | { readonly by: 'window' }

export type CurrentRequest =
  /** The last user message. */
  { readonly by: 'last' } | { readonly by: 'text'; readonly text: string } | { readonly by: 'none' }

/** What is decided from the same answers; what is not set is the profile's or the model's own. */
export type Thresholds = Partial<
  Pick<
    RelevanceOptions,
    'minDropConfidence' | 'maxDropRatio' | 'riskBudget' | 'order' | 'stopAtTarget'
  >
>

/** What holds while nothing is set. */
export interface Effective {
  readonly minDropConfidence: number
  readonly maxDropRatio: number
  readonly riskBudget: number | null
  readonly order: RelevanceOptions['order'] & string
  readonly stopAtTarget: boolean
}

export const FIRST_SETTINGS: Settings = {
  profile: '',
  format: '',
  model: '',
  target: { by: 'percent', percent: 50 },
  request: { by: 'last' },
}

/** What a whole /compact body sets, on the controls. */
export function settingsOf({ given }: Input): Settings {
  const { format = '', model = '', profile = '', targetTokens, currentRequest } = given
  return {
    profile,
    format,
    model,
    target:
      targetTokens === undefined
        ? FIRST_SETTINGS.target
        : { by: 'tokens', tokens: Math.max(1, Math.floor(targetTokens)) },
    request:
      currentRequest === undefined
        ? { by: 'last' }
        : currentRequest === null
          ? { by: 'none' }
          : { by: 'text', text: currentRequest },
  }
}

export function effectiveThresholds(
  service: ServiceSettings | undefined,
  settings: Settings,
  input: Input | undefined,
  moved: Thresholds,
): Effective {
  const profile = settings.profile || (service?.defaultProfile ?? 'neurolink')
  const preset = service?.profiles[profile].relevance
  const relevance = { ...preset, ...input?.given.options?.relevance, ...moved }
  return {
    minDropConfidence: relevance.minDropConfidence ?? 0.6,
    maxDropRatio: relevance.maxDropRatio ?? 0.5,
    riskBudget:
      relevance.riskBudget === undefined
        ? (service?.decide?.riskBudget ?? null)
        : relevance.riskBudget,
    order: relevance.order ?? service?.decide?.order ?? 'oldest-first',
    stopAtTarget: relevance.stopAtTarget ?? false,
  }
}

export interface BodyParts {
  readonly input: Input
  readonly settings: Settings
  readonly thresholds: Thresholds
  /** Undefined: from the window. */
  readonly targetTokens: number | undefined
  /** Undefined: the models are asked. */
  readonly replay?: Recording
}

export function compactBody(parts: BodyParts): string {
  const { input, settings, thresholds, targetTokens, replay } = parts
  return joinMembers(input, {
    ...requestMembers(settings),
    ...(targetTokens !== undefined && { targetTokens }),
    options: optionsOf(input, thresholds),
    explain: 'all',
    ...(replay === undefined ? { record: true } : { replay }),
  })
}

/** Asks for the size of the conversation alone: nothing is over such a target. */
export function measureBody(input: Input, settings: Settings): string {
  const { format, model } = requestMembers(settings)
  return joinMembers(input, {
    ...(format !== undefined && { format }),
    ...(model !== undefined && { model }),
    targetTokens: 1_000_000_000,
    dryRun: true,
    explain: 'none',
  })
}

function optionsOf({ given }: Input, thresholds: Thresholds): OptionOverrides {
  const { options } = given
  return { ...options, relevance: { ...options?.relevance, ...thresholds } }
}

interface RequestMembers {
  readonly format?: string
  readonly model?: string
  readonly profile?: ProfileName
  readonly currentRequest?: string | null
}

function requestMembers({ profile, format, model, request }: Settings): RequestMembers {
  return {
    ...(profile !== '' && { profile }),
    ...(format !== '' && { format }),
    ...(model.trim() !== '' && { model: model.trim() }),
    ...(request.by === 'none' && { currentRequest: null }),
    ...(request.by === 'text' && request.text.trim() !== '' && { currentRequest: request.text }),
  }
}

/** The conversation goes in the words that it came in. */
function joinMembers({ members }: Input, settings: object): string {
  const posted = [...members].map(([name, text]) => `${JSON.stringify(name)}:${text}`)
  const own = JSON.stringify(settings).slice(1, -1)
  return `{${[own, ...posted].join(',')}}`
}
