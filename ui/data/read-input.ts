/** What was pasted or dropped, as a conversation to post: a body, a bare list of messages, or a session. */
import { listMemberOf } from '../../src/cli/input/list-member.ts'
import type { OptionOverrides, ProfileName } from '../../src/engine/options.ts'
import type { JsonObject, JsonValue } from '../../src/engine/transcript.ts'
import { LIST_MEMBERS, type ListMember } from '../../src/formats/conversation-list.ts'
import type { Problem } from './answer.ts'
import { memberRanges } from './json-text.ts'
import { isTranscript, readTranscript } from './read-transcript.ts'

export interface Input {
  /** Of the file, or what it is. */
  readonly name: string
  readonly list: ListMember
  readonly items: readonly JsonValue[]
  /** Members to post, as JSON text in the words they came in. */
  readonly members: ReadonlyMap<string, string>
  /** Settings of a whole /compact body. */
  readonly given: GivenSettings
  /** Members that are no part of a conversation, and are not posted. */
  readonly ignored: readonly string[]
  readonly characters: number
}

export interface GivenSettings {
  readonly format?: string
  readonly model?: string
  readonly targetTokens?: number
  readonly profile?: ProfileName
  readonly options?: OptionOverrides
  readonly currentRequest?: string | null
}

/** Members of POST /compact that are passed on as they are. */
const PASSED = [
  'system',
  'instructions',
  'systemInstruction',
  'system_instruction',
  'tools',
  'functions',
  'thinking',
  'cache_control',
  'contextWindow',
  'maxOutputTokens',
  'compactionThreshold',
  'files',
  'pins',
  'maxBytes',
  'lowWater',
] as const

/** Members that controls of the page stand for. */
const CONTROLLED = [
  'format',
  'model',
  'targetTokens',
  'profile',
  'options',
  'currentRequest',
] as const

/** Members that the page sets by itself. */
const OWN = new Set(['dryRun', 'explain', 'record', 'replay', 'recording'])

export function readInput(text: string, name: string): Input | Problem {
  if (isTranscript(text)) return sessionInput(text, name)
  let value: JsonValue
  try {
    value = JSON.parse(text.replace(/^\ufeff/, '')) as JsonValue
  } catch (error) {
    return notJson(text, error)
  }
  if (Array.isArray(value)) {
    const list = listMemberOf(value)
    const members = new Map([[list, text.replace(/^\ufeff/, '').trim()]])
    return { name, list, items: value, members, given: {}, ignored: [], characters: text.length }
  }
  if (!isObject(value)) return problem('This is JSON, but neither an object nor a list.')
  const list = LIST_MEMBERS.find((member) => value[member] !== undefined)
  if (list === undefined) {
    return problem('The object has none of the members messages, input and contents.')
  }
  const ranges = memberRanges(text)
  const members = new Map<string, string>()
  for (const member of [...PASSED, list]) {
    const range = ranges.get(member)
    // Some clients write null for what they do not set.
    if (range === undefined || value[member] === null) continue
    members.set(member, text.slice(range.start, range.end))
  }
  const posted = value[list]
  return {
    name,
    list,
    items: Array.isArray(posted) ? posted : [{ role: 'user', content: posted ?? null }],
    members,
    given: givenSettings(value),
    ignored: Object.keys(value).filter(
      (member) => !members.has(member) && !isControlled(member) && !OWN.has(member),
    ),
    characters: text.length,
  }
}

function sessionInput(text: string, name: string): Input | Problem {
  const session = readTranscript(text)
  if ('title' in session) return session
  const { messages, summaries, model } = session
  return {
    name,
    list: 'messages',
    items: JSON.parse(messages) as JsonValue[],
    // Claude Code's own summary stands for all that came before it.
    members: new Map([
      ['messages', messages],
      ['pins', JSON.stringify(summaries)],
    ]),
    given: { format: 'anthropic-messages', ...(model !== undefined && { model }) },
    ignored: [],
    characters: text.length,
  }
}

export function isProblem(read: Input | Problem): read is Problem {
  return 'title' in read
}

function isControlled(member: string): boolean {
  return (CONTROLLED as readonly string[]).includes(member)
}

function givenSettings(body: JsonObject): GivenSettings {
  const entries = CONTROLLED.filter((member) => body[member] !== undefined)
    .filter((member) => member === 'currentRequest' || body[member] !== null)
    .map((member) => [member, body[member]])
  return Object.fromEntries(entries) as GivenSettings
}

function notJson(text: string, error: unknown): Problem {
  if (text.trim() === '') return problem('There is nothing here yet.')
  const place = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
  if (place === undefined) return problem('It is cut short, or is no JSON at all.')
  const before = text.slice(0, Number(place)).split('\n')
  return problem(
    `It stops being JSON in line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}.`,
  )
}

function problem(detail: string): Problem {
  return { title: 'This is not a conversation', detail, errors: [] }
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
