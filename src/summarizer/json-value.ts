export type JsonRecord = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const MAX_MODEL_NAME_LENGTH = 256

/** A model name that a server reports; an empty or absurdly long one counts as not said. */
export const readModelName = (payload: JsonRecord): string | undefined => {
  const { model } = payload
  if (typeof model !== 'string' || model === '') return undefined
  return model.length <= MAX_MODEL_NAME_LENGTH ? model : undefined
}
