import type { Fault } from '../wire-rules/index.ts'
import type { Mutation } from './broken.ts'
import { bodyOf, holdsPart, partsOfContent } from './gemini-reading.ts'
import { insertAt, removeAt, replaceAt } from './splice.ts'
import type { JsonObject } from './types.ts'

/** Ways to break the calls of a content and the responses in the content behind it. */
export function breakGeminiExchange(contents: readonly JsonObject[], index: number): Mutation[] {
  const asking = contents[index]
  const answering = contents[index + 1]
  if (!holdsPart(asking, 'functionCall')) return []
  const placement: Mutation = {
    name: 'call-placement',
    write: () => insertAt(contents, index, { role: 'model', parts: [{ text: 'One moment.' }] }),
    faults: [{ rule: 'call-placement', pointer: `/contents/${index + 1}` }],
  }
  // At the tail a lost response would leave its call pending, which is allowed.
  if (answering === undefined || index + 2 >= contents.length) return [placement]
  const parts = partsOfContent(answering)
  const last = parts.findLastIndex((part) => bodyOf(part, 'functionResponse') !== undefined)
  const response = parts[last] ?? {}
  const change = (changed: JsonObject[]) =>
    replaceAt(contents, index + 1, { ...answering, parts: changed })
  const duplicate: Mutation = {
    name: 'duplicate-result',
    write: () => change(insertAt(parts, last + 1, response)),
    faults: [{ rule: 'duplicate-result', pointer: `/contents/${index + 1}/parts/${last + 1}` }],
  }
  if (parts.length === 1) return [placement, duplicate]
  const missing = missingCall(asking, response, index)
  const lost: Mutation = {
    name: 'call-without-result',
    write: () => change(removeAt(parts, last)),
    faults: [missing],
  }
  // The response behind the next answer, with a request that it comes with.
  const later = contents.findIndex(
    (content, position) =>
      position > index + 1 &&
      content.role !== 'model' &&
      !holdsPart(content, 'functionResponse') &&
      !holdsPart(contents[position - 1], 'functionCall'),
  )
  if (later < 0) return [placement, duplicate, lost]
  const request = partsOfContent(contents[later])
  const moved: Mutation = {
    name: 'result-misplaced',
    write: () =>
      replaceAt(change(removeAt(parts, last)), later, {
        ...contents[later],
        parts: [...request, response],
      }),
    faults: [
      { rule: 'result-misplaced', pointer: `/contents/${later}/parts/${request.length}` },
      missing,
    ],
  }
  return [placement, duplicate, lost, moved]
}

/** The call that has no response once this one, the last of its content, is gone. */
function missingCall(asking: JsonObject | undefined, response: JsonObject, index: number): Fault {
  const calls = partsOfContent(asking).map((part) => bodyOf(part, 'functionCall'))
  const { id, name } = bodyOf(response, 'functionResponse') ?? {}
  const known = calls.findIndex((call) => id !== undefined && call?.id === id)
  const hasNameless = calls.some((call) => call?.name === name && call?.id === undefined)
  const position =
    known >= 0
      ? known
      : calls.findLastIndex(
          (call) => call?.name === name && (call?.id === undefined || !hasNameless),
        )
  return { rule: 'call-without-result', pointer: `/contents/${index}/parts/${position}` }
}
