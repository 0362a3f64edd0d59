import { type GeminiContent, holds, memberOf } from './gemini-parts.ts'
import { asRecord } from './json.ts'
import type { Fault } from './types.ts'

/**
 * Code that runs at the provider: `executableCode` and its `codeExecutionResult` stand in one model
 * content (reference, `CodeExecutionResult`: "only ... when using CodeExecution", and always behind
 * the code). Thoughts may stand between the two, one code may have several results (seen in the
 * field, vercel/ai issue 11485), and where both have an id it is the id that tells.
 *
 * - `code-result-without-code`: a result that no code came before.
 */
export function findGeminiCodeFaults(contents: readonly GeminiContent[]): Fault[] {
  return contents.flatMap(({ role, parts, pointer }) => {
    if (role !== 'model') return []
    const ids = new Set<unknown>()
    let follows = false
    return parts.flatMap((part, position) => {
      if (holds(part, 'executableCode')) {
        follows = true
        ids.add(idOf(memberOf(part, 'executableCode')))
        return []
      }
      if (holds(part, 'codeExecutionResult')) {
        const id = idOf(memberOf(part, 'codeExecutionResult'))
        if (follows || (id !== null && ids.has(id))) return []
        return [{ rule: 'code-result-without-code', pointer: `${pointer}/parts/${position}` }]
      }
      if (part.thought !== true) follows = false
      return []
    })
  })
}

function idOf(value: unknown): unknown {
  return asRecord(value).id ?? null
}
