import type { JsonObject } from './types.ts'

export function partsOfContent(content: JsonObject | undefined): JsonObject[] {
  return Array.isArray(content?.parts) ? content.parts : []
}

/** Whether a part has the member, in either spelling. */
export function holdsPart(content: JsonObject | undefined, camelCase: string): boolean {
  return partsOfContent(content).some((part) => bodyOf(part, camelCase) !== undefined)
}

/** What stands under the member, in either spelling. */
export function bodyOf(part: JsonObject | undefined, camelCase: string): JsonObject | undefined {
  const snakeCase = camelCase.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const body = part?.[camelCase] ?? part?.[snakeCase]
  return typeof body === 'object' && body !== null ? { ...body } : undefined
}
