import { redactTexts } from '../redaction/redact-texts.ts'

/**
 * The same value with placeholders for secrets of known shapes in its texts: a key that was set in
 * another variable than its own is shown like any text.
 */
export async function hideSecrets(value: unknown): Promise<unknown> {
  const { texts } = await redactTexts(textsOf(value))
  const next = texts.values()
  return mapTexts(value, (text) => next.next().value ?? text)
}

function textsOf(value: unknown): string[] {
  const texts: string[] = []
  mapTexts(value, (text) => {
    texts.push(text)
    return text
  })
  return texts
}

/** Visits names of members too: those of `PRECIS_MODEL_WINDOWS` are an operator's. */
function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [map(name), mapTexts(item, map)]),
  )
}
