import { asArray, asRecord, type JsonRecord } from './json.ts'
import type { Fault } from './types.ts'

const TEXT = ['text']

/** Reference, "Create chat completion": the parts that `content` may hold, by role. */
const PARTS_OF: Readonly<Record<string, readonly string[]>> = {
  system: TEXT,
  developer: TEXT,
  user: ['text', 'image_url', 'input_audio', 'file'],
  assistant: ['text', 'refusal'],
  tool: TEXT,
  function: [],
}

const KNOWN_PARTS: ReadonlySet<string> = new Set(Object.values(PARTS_OF).flat())

/**
 * `part-role`: "Image URLs are only allowed for messages with role 'user', but this message with
 * role 'assistant' contains an image URL" (openai-node issue 1030, OpenHands issue 7700 of a tool).
 * A kind of part that the reference does not have is left to whoever takes it. Text is read where
 * only a string is promised, as from the deprecated function.
 */
export function findOpenaiPartFaults({ role, content }: JsonRecord, index: number): Fault[] {
  const allowed = new Set([...TEXT, ...(PARTS_OF[String(role)] ?? [])])
  return asArray(content).flatMap((value, position) => {
    const type = String(asRecord(value).type)
    if (!KNOWN_PARTS.has(type) || allowed.has(type)) return []
    return [{ rule: 'part-role', pointer: `/messages/${index}/content/${position}` }]
  })
}

/** The roles whose `name` tells participants apart; that of a function names what was called. */
const SPEAKERS: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant'])

const SPEAKER_NAME = /^[^\s<|\\/>]+$/
const TOOL_NAME = /^[a-zA-Z0-9_-]+$/

/**
 * - `speaker-name`: "Invalid 'messages[1].name': string does not match pattern. Expected a string
 *   that matches the pattern '^[^\s<|\\/>]+$'" (agent-framework pull request 7127).
 * - `tool-name`: "Invalid 'messages[9].tool_calls[0].function.name': ... '^[a-zA-Z0-9_-]+$'"
 *   (mcp-use issue 90). No length: at most 64 were taken for years, some models take 128.
 */
export function findOpenaiNameFaults(message: JsonRecord, index: number): Fault[] {
  const { role, name, tool_calls: calls } = message
  const faults: Fault[] = []
  if (SPEAKERS.has(role) && typeof name === 'string' && !SPEAKER_NAME.test(name)) {
    faults.push({ rule: 'speaker-name', pointer: `/messages/${index}/name` })
  }
  asArray(role === 'assistant' ? calls : []).forEach((call, position) => {
    const called = asRecord(asRecord(call).function).name
    if (typeof called === 'string' && !TOOL_NAME.test(called)) {
      faults.push({ rule: 'tool-name', pointer: `/messages/${index}/tool_calls/${position}` })
    }
  })
  return faults
}
