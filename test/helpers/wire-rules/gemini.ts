import { findGeminiCodeFaults } from './gemini-code.ts'
import { type GeminiContent, hasText, holds, memberOf, readGeminiContent } from './gemini-parts.ts'
import { findGeminiSignatureFaults } from './gemini-signatures.ts'
import { findGeminiToolFaults } from './gemini-tools.ts'
import { asArray, type JsonRecord } from './json.ts'
import type { Fault, WirePayload } from './types.ts'

/**
 * Faults of a Gemini generateContent request.
 *
 * - `structure`: `contents` is a list of objects, and not an empty one ("contents is not specified").
 * - `known-role`: "Please use a valid role: user, model". `function` is what responses stood under
 *   in the first SDKs, and no role at all means the user (reference, `Content.role`).
 * - `first-role`: "Please ensure that multiturn requests alternate between user and model", said of a
 *   model that speaks first; contents of one role in a row are taken.
 * - `empty-content`: "contents.parts must not be empty".
 * - `empty-part`: "required oneof field 'data' must have one initialized field". A text may be empty
 *   where it carries a signature: a stream ends that way (guide "Thought signatures").
 * - `part-role`: calls and code are written by the model, responses are given to it.
 * - the rules of `gemini-tools.ts`, `gemini-code.ts`, `gemini-signatures.ts`.
 */
export function findGeminiFaults(payload: WirePayload): Fault[] {
  const list = asArray(payload.contents)
  if (list.length === 0) return [{ rule: 'structure', pointer: '/contents' }]
  const contents = list.map(readGeminiContent)
  const [first] = contents
  return [
    ...(first?.role === 'model' ? [{ rule: 'first-role', pointer: '/contents/0' }] : []),
    ...contents.flatMap(findContentFaults),
    ...findGeminiToolFaults(contents),
    ...findGeminiCodeFaults(contents),
    ...findGeminiSignatureFaults(contents, payload.model),
  ]
}

const ROLES: ReadonlySet<unknown> = new Set(['user', 'model', 'function'])

function findContentFaults({ isObject, role, parts, pointer }: GeminiContent): Fault[] {
  if (!isObject) return [{ rule: 'structure', pointer }]
  const faults: Fault[] = []
  if (!ROLES.has(role)) faults.push({ rule: 'known-role', pointer: `${pointer}/role` })
  if (parts.length === 0) faults.push({ rule: 'empty-content', pointer: `${pointer}/parts` })
  parts.forEach((part, position) => {
    const at = `${pointer}/parts/${position}`
    if (isEmptyPart(part)) faults.push({ rule: 'empty-part', pointer: at })
    if (ROLES.has(role) && isMisplaced(part, role)) {
      faults.push({ rule: 'part-role', pointer: at })
    }
  })
  return faults
}

/** Members of a part beside its data (reference, `Part`). An unknown member may be data of a later version. */
const BESIDE_DATA: ReadonlySet<string> = new Set([
  'thought',
  'thoughtsignature',
  'videometadata',
  'mediaresolution',
  'partmetadata',
  'mediaprocessing',
  'speechmetadata',
])

const DATA_BESIDE_TEXT = [
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
]

function isEmptyPart(part: JsonRecord): boolean {
  const isData = ([name, value]: [string, unknown]) =>
    value !== null && !BESIDE_DATA.has(name.replaceAll('_', '').toLowerCase())
  if (!Object.entries(part).some(isData)) return true
  if (part.text !== '' || hasText(memberOf(part, 'thoughtSignature'))) return false
  return !DATA_BESIDE_TEXT.some((name) => holds(part, name))
}

const WRITTEN_BY_THE_MODEL = ['functionCall', 'executableCode', 'codeExecutionResult']

function isMisplaced(part: JsonRecord, role: unknown): boolean {
  if (role === 'model') return holds(part, 'functionResponse')
  return WRITTEN_BY_THE_MODEL.some((name) => holds(part, name))
}
