import { findSecrets } from './find-secrets.ts'

export interface Redaction {
  /** The texts in their order, with placeholders where secrets stood; one secret has one placeholder. */
  readonly texts: readonly string[]
  /** Puts the secrets back into a text that was written from those. */
  readonly restore: (text: string) => string
}

/** Between the texts, where they are looked through as one; no shape of a secret goes across a NUL. */
const SEPARATOR = '\n\0\n'

const PLACEHOLDER = /\[secret (\d{1,9})\]/g

/** All texts of one call at once, so that a secret that is told twice is seen to be the same. */
export async function redactTexts(texts: readonly string[]): Promise<Redaction> {
  const ranges = await findSecrets(texts.join(SEPARATOR))
  const secrets: string[] = []
  const numbers = new Map<string, number>()
  const placeholder = (secret: string): string => {
    const number = numbers.get(secret) ?? secrets.push(secret)
    numbers.set(secret, number)
    return `[secret ${number}]`
  }

  let begins = 0
  let next = 0
  const redacted = texts.map((text) => {
    const ends = begins + text.length
    let kept = ''
    let at = 0
    for (
      let range = ranges[next];
      range !== undefined && range.start < ends;
      range = ranges[next]
    ) {
      const start = Math.max(at, range.start - begins)
      const end = Math.min(text.length, range.end - begins)
      if (start < end) kept += text.slice(at, start) + placeholder(text.slice(start, end))
      at = Math.max(at, end)
      // One that reaches beyond this text goes on in the next.
      if (range.end > ends) break
      next += 1
    }
    begins = ends + SEPARATOR.length
    return kept + text.slice(at)
  })
  return {
    texts: redacted,
    restore: (text) =>
      text.replaceAll(PLACEHOLDER, (found, number) => secrets[Number(number) - 1] ?? found),
  }
}
