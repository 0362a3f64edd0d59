import { asArray, asRecord, isRecord, type JsonRecord } from './json.ts'

export interface AiSdkMessage {
  readonly isObject: boolean
  readonly role: unknown
  readonly content: unknown
  /** Empty where the content is a string. */
  readonly parts: readonly JsonRecord[]
  readonly pointer: string
}

export function readAiSdkMessage(value: unknown, index: number): AiSdkMessage {
  const { role, content } = asRecord(value)
  return {
    isObject: isRecord(value),
    role,
    content,
    parts: asArray(content).map(asRecord),
    pointer: `/messages/${index}`,
  }
}

/** Texts that the SDK leaves out on the way to the provider (`convertToLanguageModelPrompt`). */
export function isLeftOut(part: JsonRecord, role: unknown): boolean {
  if (part.type !== 'text' || part.text !== '') return false
  return role === 'user' || (part.providerOptions ?? null) === null
}

export function isReasoning(part: JsonRecord): boolean {
  return part.type === 'reasoning' || part.type === 'reasoning-file'
}
