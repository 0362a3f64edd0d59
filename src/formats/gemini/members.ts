/** Members of Gemini's parts, in the API's camelCase or in the snake_case of its older clients. */
import type { JsonObject, JsonValue } from '../../engine/transcript.ts'

const SPELLINGS = {
  functionCall: ['functionCall', 'function_call'],
  functionResponse: ['functionResponse', 'function_response'],
  inlineData: ['inlineData', 'inline_data'],
  fileData: ['fileData', 'file_data'],
  executableCode: ['executableCode', 'executable_code'],
  codeExecutionResult: ['codeExecutionResult', 'code_execution_result'],
  toolCall: ['toolCall', 'tool_call'],
  toolResponse: ['toolResponse', 'tool_response'],
  text: ['text'],
} as const

export type DataKind = keyof typeof SPELLINGS

const KINDS = Object.keys(SPELLINGS) as DataKind[]

/** What a part holds, and the member under which it holds it. */
export interface PartData {
  readonly kind: DataKind
  readonly name: string
  readonly value: JsonValue
}

/** A part holds one of these, as the API has it; the first counts. Undefined for kinds not known. */
export function dataOf(part: JsonObject): PartData | undefined {
  for (const kind of KINDS) {
    for (const name of SPELLINGS[kind]) {
      const value = part[name]
      if (value !== undefined && value !== null) return { kind, name, value }
    }
  }
  return undefined
}

/** The member under its first spelling that is there. */
export function eitherMember(
  object: JsonObject,
  camelCase: string,
  snakeCase: string,
): JsonValue | undefined {
  return object[camelCase] ?? object[snakeCase]
}

/** The encrypted thinking that came with a part and goes back with it; '' where there is none. */
export function signatureOf(part: JsonObject): string {
  const value = eitherMember(part, 'thoughtSignature', 'thought_signature')
  return typeof value === 'string' ? value : ''
}
