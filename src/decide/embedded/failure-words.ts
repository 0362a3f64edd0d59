import type { Query } from './query.ts'
import { stem } from './stem.ts'

const stems = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/).map(stem))

/** Words by which the output of a tool says that something went wrong. Written by hand. */
export const FAILURE_WORDS = stems(`
error errors exception traceback fail failed failure fatal panic refused denied timeout crashed
`)

/** Words by which a request asks for that. */
const ASKING_WORDS = stems(`
error exception fail failed failing failure crash crashed broke broken wrong dead die died problem alarm warning
`)

export function asksForFailure(query: Query): boolean {
  for (const term of query.keys()) if (ASKING_WORDS.has(term)) return true
  return false
}
