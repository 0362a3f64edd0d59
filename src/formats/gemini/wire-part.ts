/** Parts as the checker sees them: apart from the reader, and total on any payload. */
import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import { isArray, isRecord, pointer } from '../json.ts'

/** Members that say something about a part's data and are none themselves. */
const ASIDE: ReadonlySet<string> = new Set([
  'thought',
  'thoughtSignature',
  'thought_signature',
  'videoMetadata',
  'video_metadata',
  'mediaResolution',
  'media_resolution',
  'mediaProcessing',
  'media_processing',
  'partMetadata',
  'part_metadata',
  'speechMetadata',
  'speech_metadata',
])

const SNAKE_CASE: Readonly<Record<string, string>> = {
  function_call: 'functionCall',
  function_response: 'functionResponse',
  executable_code: 'executableCode',
  code_execution_result: 'codeExecutionResult',
}

export interface WirePart {
  readonly content: number
  readonly position: number
  /** Members that hold data, in camelCase where a rule asks for them. */
  readonly kinds: ReadonlySet<string>
  /** What a function call or response says. */
  readonly body: JsonObject
  readonly text: JsonValue | undefined
  readonly isThought: boolean
  readonly isSigned: boolean
}

export interface WireContent {
  readonly index: number
  /** `user` where there is none. Undefined where it is none of the format's. */
  readonly role: 'user' | 'model' | 'function' | undefined
  readonly hasParts: boolean
  readonly parts: readonly WirePart[]
}

export function partPointer({ content, position }: WirePart): string {
  return pointer('contents', content, 'parts', position)
}

/** Items that are no objects are contents of no role and no parts: other rules name them. */
export function wireContents(items: readonly JsonValue[]): readonly WireContent[] {
  return items.map((item, index) => {
    if (!isRecord(item)) return { index, role: undefined, hasParts: true, parts: [] }
    const parts = isArray(item.parts) ? item.parts : []
    return {
      index,
      role: roleOf(item.role),
      hasParts: parts.length > 0,
      parts: parts.map((part, position) => wirePart(part, index, position)),
    }
  })
}

function wirePart(value: JsonValue, content: number, position: number): WirePart {
  const part = isRecord(value) ? value : {}
  const kinds = new Set<string>()
  let body: JsonObject = {}
  for (const [name, member] of Object.entries(part)) {
    if (member === null || ASIDE.has(name)) continue
    const kind = SNAKE_CASE[name] ?? name
    kinds.add(kind)
    if (isRecord(member) && (kind === 'functionCall' || kind === 'functionResponse')) body = member
  }
  const signature = part.thoughtSignature ?? part.thought_signature
  return {
    content,
    position,
    kinds,
    body,
    text: part.text,
    isThought: part.thought === true,
    isSigned: typeof signature === 'string' && signature !== '',
  }
}

function roleOf(role: JsonValue | undefined): WireContent['role'] {
  if (role === undefined) return 'user'
  return role === 'user' || role === 'model' || role === 'function' ? role : undefined
}
