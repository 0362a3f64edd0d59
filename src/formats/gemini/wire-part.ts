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

const NOTHING: JsonObject = {}

export interface WirePart {
  readonly content: number
  readonly position: number
  /** Number of members that hold data. */
  readonly kindCount: number
  readonly isCall: boolean
  readonly isResponse: boolean
  readonly isCode: boolean
  readonly isCodeResult: boolean
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
  let kindCount = 0
  for (const name in part) {
    if (part[name] !== null && Object.hasOwn(part, name) && !ASIDE.has(name)) kindCount += 1
  }
  const call = part.functionCall ?? part.function_call ?? null
  const response = part.functionResponse ?? part.function_response ?? null
  const signature = part.thoughtSignature ?? part.thought_signature
  return {
    content,
    position,
    kindCount,
    isCall: call !== null,
    isResponse: response !== null,
    isCode: (part.executableCode ?? part.executable_code ?? null) !== null,
    isCodeResult: (part.codeExecutionResult ?? part.code_execution_result ?? null) !== null,
    body: isRecord(response) ? response : isRecord(call) ? call : NOTHING,
    text: part.text,
    isThought: part.thought === true,
    isSigned: typeof signature === 'string' && signature !== '',
  }
}

function roleOf(role: JsonValue | undefined): WireContent['role'] {
  if (role === undefined) return 'user'
  return role === 'user' || role === 'model' || role === 'function' ? role : undefined
}
