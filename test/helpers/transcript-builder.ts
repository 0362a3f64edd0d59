import type {
  CountTokens,
  Entry,
  EntryFlags,
  JsonValue,
  Part,
  Role,
  Transcript,
} from '../../src/engine/transcript.ts'

/** Four UTF-16 units to the token: sizes in a test can be read off the text. */
export const countByLength: CountTokens = (text) => Math.ceil(text.length / 4)

export const FRAMING_TOKENS = 4

/** A text of exactly so many tokens by `countByLength`, recognisable and unlike any other label's. */
export function ofTokens(tokens: number, label: string): string {
  const length = tokens * 4
  return `${label} `.repeat(Math.ceil(length / (label.length + 1))).slice(0, length)
}

export type PartSpec = Omit<Part, 'tokens' | 'rewritable'> &
  Partial<Pick<Part, 'tokens' | 'rewritable'>>

/** One message; `links` and `unresolvedCalls` follow from the call ids of its parts. */
export interface EntrySpec {
  readonly role: Role
  readonly parts: readonly PartSpec[]
  readonly id?: string
  readonly speaker?: string
  readonly flags?: EntryFlags
  readonly framingTokens?: number
  /** Labels besides those of its calls. */
  readonly links?: readonly string[]
}

type Extra = Omit<EntrySpec, 'role' | 'parts'>

export function instructions(text: string, extra: Extra = {}): EntrySpec {
  return { role: 'instructions', parts: [textPart(text)], ...extra }
}

export function user(text: string, extra: Extra = {}): EntrySpec {
  return { role: 'user', parts: [textPart(text)], ...extra }
}

export function assistant(text: string, extra: Extra = {}): EntrySpec {
  return { role: 'assistant', parts: [textPart(text)], ...extra }
}

/** A marker of an earlier run, for so many messages; 0 writes one without a count. */
export function marker(count: number, extra: Extra = {}): EntrySpec {
  const text = `[${count} earlier messages truncated to fit the context window]`
  return user(text, { flags: { marker: true, ...(count > 0 && { markerCount: count }) }, ...extra })
}

export interface CallSpec {
  readonly callId: string
  readonly toolName?: string
  readonly toolArguments?: JsonValue
}

/** An assistant message that calls tools, with a text before the calls where one is given. */
export function calling(calls: readonly CallSpec[], text = '', extra: Extra = {}): EntrySpec {
  const parts = calls.map(
    ({ callId, toolName = 'run', toolArguments = {} }): PartSpec => ({
      kind: 'tool-call',
      text: typeof toolArguments === 'string' ? toolArguments : JSON.stringify(toolArguments),
      callId,
      toolName,
      toolArguments,
      rewritable: false,
    }),
  )
  return { role: 'assistant', parts: text === '' ? parts : [textPart(text), ...parts], ...extra }
}

type ResultExtra = Partial<Pick<Part, 'toolName' | 'isError' | 'rewritable'>>

export function resultPart(callId: string, text: string, extra: ResultExtra = {}): PartSpec {
  return { kind: 'tool-result', text, callId, toolName: 'run', ...extra }
}

/** A message of one tool result. */
export function returning(callId: string, text: string, extra: ResultExtra = {}): EntrySpec {
  return { role: 'tool', parts: [resultPart(callId, text, extra)] }
}

export function textPart(text: string): PartSpec {
  return { kind: 'text', text }
}

/** A call and its result, two messages. */
export function exchange(
  callId: string,
  result: string,
  call: Omit<CallSpec, 'callId'> = {},
): EntrySpec[] {
  const { toolName = 'run' } = call
  return [calling([{ callId, ...call }]), returning(callId, result, { toolName })]
}

export interface TranscriptSpec {
  readonly beside?: Partial<Transcript['beside']>
  readonly warnings?: Transcript['warnings']
  readonly countTokens?: CountTokens
}

export function buildTranscript(
  specs: readonly EntrySpec[],
  spec: TranscriptSpec = {},
): Transcript {
  const countTokens = spec.countTokens ?? countByLength
  const answered = callIds(specs, 'tool-result')
  const called = callIds(specs, 'tool-call')
  const isLinked = (callId: string): boolean => answered.has(callId) && called.has(callId)
  return {
    format: 'test',
    entries: specs.map((entry, index) => toEntry(entry, index, isLinked, answered, countTokens)),
    beside: { instructionsTokens: 0, toolsTokens: 0, framingTokens: 0, ...spec.beside },
    warnings: spec.warnings ?? [],
  }
}

function callIds(specs: readonly EntrySpec[], kind: Part['kind']): Set<string> {
  return new Set(
    specs.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.kind === kind ? (part.callId ?? []) : [])),
    ),
  )
}

function toEntry(
  spec: EntrySpec,
  index: number,
  isLinked: (callId: string) => boolean,
  answered: ReadonlySet<string>,
  countTokens: CountTokens,
): Entry {
  const ids = spec.parts.flatMap((part) => part.callId ?? [])
  return {
    index,
    role: spec.role,
    parts: spec.parts.map((part) => ({
      tokens: countTokens(part.text),
      rewritable: part.kind === 'text' || part.kind === 'tool-result',
      ...part,
    })),
    framingTokens: spec.framingTokens ?? FRAMING_TOKENS,
    links: [...ids.filter(isLinked).map((id) => `call:${id}`), ...(spec.links ?? [])],
    flags: spec.flags ?? {},
    unresolvedCalls: spec.parts.flatMap((part) =>
      part.kind === 'tool-call' && part.callId !== undefined && !answered.has(part.callId)
        ? [part.callId]
        : [],
    ),
    ...(spec.id !== undefined && { id: spec.id }),
    ...(spec.speaker !== undefined && { speaker: spec.speaker }),
  }
}
