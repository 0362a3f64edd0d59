import { readFileSync } from 'node:fs'
import type { Insertion, Plan } from '../../../src/engine/edit.ts'
import { PrecisError } from '../../../src/engine/errors.ts'
import { entryTokens, type JsonObject, type Transcript } from '../../../src/engine/transcript.ts'
import type { FormatAdapter, ReadContext } from '../../../src/formats/adapter.ts'

/** One token a character, so that every expected number can be seen in the test. */
export const countTokens = (text: string): number => text.length

/** Media cost numbers that no text could have by chance. */
export const context: ReadContext = {
  countTokens,
  countImage: ({ width, height, detail }) =>
    (width === undefined || height === undefined ? 7_000_000 : width * height * 1000) +
    (detail === 'low' ? 1 : 0),
  countDocument: ({ pages, bytes }) =>
    pages === undefined ? 9_000_000 + (bytes === undefined ? 0 : 1) : pages * 100_000,
}

export function read(adapter: FormatAdapter, payload: JsonObject): Transcript {
  return adapter.read(payload, context)
}

export function totalTokens({ entries, beside }: Transcript): number {
  return entries.reduce(
    (sum, entry) => sum + entryTokens(entry),
    beside.instructionsTokens + beside.toolsTokens + beside.framingTokens,
  )
}

/** The faults that reading throws; fails if it does not throw a PrecisError. */
export function faultsOf(adapter: FormatAdapter, payload: JsonObject) {
  try {
    read(adapter, payload)
  } catch (error) {
    if (error instanceof PrecisError && error.code === 'invalid-conversation') return error.faults
    throw error
  }
  throw new Error('the conversation was read without a fault')
}

export function rulesAt(adapter: FormatAdapter, payload: JsonObject): string[] {
  return adapter.check(payload).map(({ rule, pointer }) => `${rule} ${pointer}`)
}

export function plan(changes: {
  dropped?: number[]
  replaced?: Record<number, Record<number, string>>
  insertions?: Insertion[]
}): Plan {
  return {
    dropped: new Set(changes.dropped ?? []),
    replaced: new Map(
      Object.entries(changes.replaced ?? {}).map(([entry, parts]) => [
        Number(entry),
        new Map(Object.entries(parts).map(([part, text]) => [Number(part), text])),
      ]),
    ),
    insertions: changes.insertions ?? [],
  }
}

export function fixture(path: string): JsonObject {
  const url = new URL(`../../fixtures/${path}`, import.meta.url)
  return JSON.parse(readFileSync(url, 'utf8')) as JsonObject
}

/** Parsed, so that a member named `__proto__` is one of its own, as in a request body. */
export function parse(text: string): JsonObject {
  return JSON.parse(text) as JsonObject
}

export const marker = (before: number): Insertion => ({
  kind: 'marker',
  before,
  role: 'user',
  text: '[2 earlier messages]',
  covers: 2,
})
export const summary = (before: number): Insertion => ({
  kind: 'summary',
  before,
  role: 'user',
  text: 'All said.',
  covers: 3,
  coversFrom: 'm-02',
  coversTo: 'm-04',
})
