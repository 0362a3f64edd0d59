import type { WireFormat } from '../../helpers/wire-rules/index.ts'
import { asArray, asRecord, isBlank, type JsonRecord } from '../../helpers/wire-rules/json.ts'

/** What a message is to whoever reads it off the wire by eye. */
export interface View {
  /** `other` for what an assistant or a tool says. */
  readonly role: 'instructions' | 'user' | 'other'
  /** The user says something here, whatever results ride along. */
  readonly speaks: boolean
  readonly isSummary: boolean
  readonly isSkill: boolean
  readonly isMarker: boolean
}

const MARKER =
  /^\[(?:(\d+) earlier messages? (?:truncated|snipped) [a-z ]+|Earlier conversation history was truncated [a-z ]+)\]$/

/** The number that a marker tells, 0 where it tells none; undefined for any other message. */
export function markerCount(format: WireFormat, message: unknown): number | undefined {
  if (!viewOf(format, message).isMarker) return undefined
  return Number(MARKER.exec(textOf(partsOf(format, asRecord(message))))?.[1] ?? 0)
}

export function viewOf(format: WireFormat, message: unknown): View {
  const value = asRecord(message)
  const parts = partsOf(format, value)
  const text = textOf(parts)
  const says = format === 'neurolink' ? asRecord(value.metadata) : undefined
  const isMarker = says ? value.isTruncationMarker === true : MARKER.test(text)
  const isSummary = says
    ? says.isSummary === true
    : text.startsWith('[Previous conversation summary]')
  const isSkill = says?.isSkill === true
  const carriesResults = parts.some(isResult)
  const words = parts.some((part) => !isBlank(part.text))
  const things = parts.some((part) => part.text === undefined && !isResult(part))
  const isUser = roleOf(format, value) === 'user'
  const saysSomething = words || (things && !carriesResults)
  return {
    role: isUser && carriesResults ? 'other' : roleOf(format, value),
    speaks: isUser && saysSomething && !isMarker && !isSummary && !isSkill,
    isSummary,
    isSkill,
    isMarker,
  }
}

function roleOf(format: WireFormat, { role, type }: JsonRecord): View['role'] {
  // What has another type is an item beside the messages, whatever role it names.
  if (format === 'openai-responses' && type !== undefined && type !== 'message') return 'other'
  if (role === 'system' || role === 'developer') return 'instructions'
  return role === 'user' || (format === 'gemini' && role === undefined) ? 'user' : 'other'
}

/** A string is one part that is a text. */
function partsOf(format: WireFormat, { content, parts }: JsonRecord): JsonRecord[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return asArray(format === 'gemini' ? parts : content).map(asRecord)
}

function textOf(parts: readonly JsonRecord[]): string {
  const [part, ...others] = parts
  return others.length === 0 && typeof part?.text === 'string' ? part.text : ''
}

function isResult({ type, functionResponse, function_response: snake }: JsonRecord): boolean {
  return type === 'tool_result' || functionResponse !== undefined || snake !== undefined
}
