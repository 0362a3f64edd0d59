import { asArray, asRecord } from '../../helpers/wire-rules/json.ts'

/** A message without what its tool results say. */
export function withoutResults(message: unknown): unknown {
  const { content, parts, ...rest } = asRecord(message)
  if (!Array.isArray(content) && !Array.isArray(parts)) return message
  const blocks = [...asArray(content), ...asArray(parts)].map((block) => {
    const { type, functionResponse, function_response: snake } = asRecord(block)
    const isResult = type === 'tool_result' || functionResponse !== undefined || snake !== undefined
    return isResult ? 'a result' : block
  })
  return { ...rest, blocks }
}
