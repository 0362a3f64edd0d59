import { readCalibration } from '../decide/calibration/read-calibration.ts'
import type { RemoteWire } from '../decide/wire-names.ts'
import { WIRE_TABLE, type WireSettings } from '../decide/wire-table.ts'
import { extraBodyFault } from '../decide/wires/chat-logprobs.ts'
import { PROMPT_PLACE } from '../decide/wires/generative-scoring.ts'
import type { JsonObject } from '../engine/transcript.ts'
import type { FALLBACK_PREFIX, LinkSettingName, PRIMARY_PREFIX } from './decide-variables.ts'
import type { Fault } from './read-names.ts'
import type { Variables } from './schema.ts'
import { urlFault } from './url-fault.ts'

export type LinkPrefix = typeof PRIMARY_PREFIX | typeof FALLBACK_PREFIX

/** One wire over HTTP. */
export interface RemoteLinkConfig {
  readonly wire: RemoteWire
  readonly url: string
  readonly apiKey: string | undefined
  /** The wire's usual one where none is configured. */
  readonly model: string
  readonly timeoutMs: number
  readonly maxConcurrency: number
  /** Undefined: the wire's own. */
  readonly limits: {
    readonly maxQuestionsPerRequest: number | undefined
    readonly maxTotalTokens: number | undefined
    readonly maxStateAndLongestQuestionTokens: number | undefined
    readonly maxPromptTokens: number | undefined
  }
  readonly settings: WireSettings
}

/** Names a server that has one model and takes no name for it. */
const ONLY_MODEL = 'default'

const SETTING_NAMES: Readonly<Record<keyof WireSettings, LinkSettingName>> = {
  dialect: 'DIALECT',
  calibration: 'CALIBRATION',
  labelTokenIds: 'LABEL_TOKEN_IDS',
  promptTemplate: 'PROMPT_TEMPLATE',
  extraBody: 'EXTRA_BODY',
}

/** The value is of use only if `fault` was not told of anything. */
export function readLink(
  wire: RemoteWire,
  prefix: LinkPrefix,
  variables: Variables,
  fault: Fault,
): RemoteLinkConfig {
  const entry = WIRE_TABLE[wire]
  const broken = (name: LinkSettingName, detail: string) => fault(`${prefix}${name}`, detail)
  const url = variables[`${prefix}URL`]
  const apiKey = variables[`${prefix}API_KEY`]
  const dialect = variables[`${prefix}DIALECT`]
  const model = variables[`${prefix}MODEL`]
  if (url === undefined) broken('URL', `is required with the wire ${wire}`)
  const wrongUrl = url === undefined ? undefined : urlFault(url)
  if (wrongUrl !== undefined) broken('URL', wrongUrl)
  // A header could not carry it, and every request would fail.
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    broken('API_KEY', 'must be visible ASCII characters')
  }
  if (model === undefined && entry.model === undefined && dialect !== 'tei') {
    broken('MODEL', `is required with the wire ${wire}`)
  }
  for (const [setting, name] of Object.entries(SETTING_NAMES) as SettingName[]) {
    const isSet = variables[`${prefix}${name}`] !== undefined
    if (isSet && !entry.takes.includes(setting)) broken(name, `is of no use to the wire ${wire}`)
    if (!isSet && entry.needs.includes(setting)) broken(name, `is required with the wire ${wire}`)
  }
  return {
    wire,
    url: url ?? '',
    apiKey,
    model: model ?? entry.model ?? ONLY_MODEL,
    timeoutMs: variables[`${prefix}TIMEOUT_MS`],
    maxConcurrency: variables[`${prefix}MAX_CONCURRENCY`],
    limits: readLimits(prefix, variables, broken),
    settings: readSettings(prefix, variables, broken),
  }
}

type SettingName = [keyof WireSettings, LinkSettingName]
type Broken = (name: LinkSettingName, detail: string) => void

function readLimits(
  prefix: LinkPrefix,
  variables: Variables,
  broken: Broken,
): RemoteLinkConfig['limits'] {
  const maxTotalTokens = variables[`${prefix}MAX_REQUEST_TOKENS`]
  const maxState = variables[`${prefix}MAX_STATE_TOKENS`]
  if (maxState !== undefined && maxTotalTokens !== undefined && maxState > maxTotalTokens) {
    broken('MAX_STATE_TOKENS', 'must not be more than MAX_REQUEST_TOKENS')
  }
  return {
    maxQuestionsPerRequest: variables[`${prefix}MAX_QUESTIONS`],
    maxTotalTokens,
    maxStateAndLongestQuestionTokens: maxState,
    maxPromptTokens: variables[`${prefix}MAX_PROMPT_TOKENS`],
  }
}

function readSettings(prefix: LinkPrefix, variables: Variables, broken: Broken): WireSettings {
  const dialect = variables[`${prefix}DIALECT`]
  const promptTemplate = variables[`${prefix}PROMPT_TEMPLATE`]
  if (promptTemplate !== undefined && !promptTemplate.includes(PROMPT_PLACE)) {
    broken('PROMPT_TEMPLATE', `must hold ${PROMPT_PLACE} where the words of the user stand`)
  }
  const parse = <Value>(
    name: 'CALIBRATION' | 'LABEL_TOKEN_IDS' | 'EXTRA_BODY',
    read: (text: string) => Value | undefined,
    detail: string,
  ): Value | undefined => {
    const text = variables[`${prefix}${name}`]
    if (text === undefined) return undefined
    const value = read(text)
    if (value === undefined) broken(name, detail)
    return value
  }
  const calibration = parse(
    'CALIBRATION',
    readCalibration,
    'must be what `npm run calibrate` prints: a curve that never falls',
  )
  const labelTokenIds = parse(
    'LABEL_TOKEN_IDS',
    readLabelTokenIds,
    'must be two different token ids, that of yes first',
  )
  const extraBody = parse('EXTRA_BODY', readJsonObject, 'must be a JSON object')
  const wrongBody = extraBody && extraBodyFault(extraBody)
  if (wrongBody !== undefined) broken('EXTRA_BODY', wrongBody)
  return {
    ...(dialect !== undefined && { dialect }),
    ...(promptTemplate !== undefined && { promptTemplate }),
    ...(calibration !== undefined && { calibration }),
    ...(labelTokenIds !== undefined && { labelTokenIds }),
    ...(extraBody !== undefined && { extraBody }),
  }
}

function readLabelTokenIds(text: string): WireSettings['labelTokenIds'] {
  const match = /^\s*(\d{1,9})\s*,\s*(\d{1,9})\s*$/.exec(text)
  const [yes, no] = [Number(match?.[1]), Number(match?.[2])]
  return Number.isInteger(yes) && Number.isInteger(no) && yes !== no ? { yes, no } : undefined
}

function readJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}
