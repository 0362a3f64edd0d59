import { type ConversationPayload, itemsOf } from '../../helpers/arbitraries/index.ts'

type Item = Record<string, unknown>

const items = (value: unknown): Item[] => (Array.isArray(value) ? value : [])

/** Names of everything of interest in a conversation of any format, to see what generators reach. */
export function traitsOf(payload: ConversationPayload): Set<string> {
  const messages = itemsOf(payload)
  const json = JSON.stringify(payload)
  const blocks = messages.flatMap(({ content }) => items(content))
  const calls = callRuns(messages)
  const results = resultsOf(messages)
  const open = calls.flat().length - results.length > 0
  const last = messages.at(-1) ?? {}
  const endsWithResult = resultsOf([last]).length > 0
  const texts = results.map((result) => JSON.stringify(result.content) ?? '')
  const substantial = texts.filter((text) => text.length > 40)
  const reads = calls
    .flat()
    .map((call) => JSON.stringify(call))
    .filter((call) => call.includes('read_file'))
  const targets = reads.map((call) => call.match(/path.*/)?.[0].replace(/[{}\\].*$/, ''))
  const ids = items(messages.flatMap(({ tool_calls: made }) => items(made))).map(({ id }) => id)
  const neurolinkCalls = messages.filter(({ role }) => role === 'tool_call')

  const seen: [string, boolean][] = [
    ['tool calls', calls.length > 0],
    ['parallel calls', calls.some((run) => run.length > 1)],
    ['three rounds or more', calls.length >= 3],
    ['pending tail', open],
    ['partly answered tail', open && endsWithResult],
    ['ends with results', !open && endsWithResult],
    ['ends with a request', last.role === 'user' && !endsWithResult],
    ['parts', messages.some(({ content }) => Array.isArray(content))],
    ['null content', messages.some(({ content }) => content === null)],
    ['absent content', messages.some((message) => !Object.hasOwn(message, 'content'))],
    ['image', json.includes('iVBORw0')],
    ['unknown part', json.includes('"x_widget"') || json.includes('"x_note"')],
    [
      'unknown members',
      messages.some((message) => Object.keys(message).some((key) => key.startsWith('x_'))),
    ],
    ['own __proto__', messages.some(ownsProto)],
    ['names', messages.some(({ role, name }) => role !== 'function' && name !== undefined)],
    ['function call', json.includes('"function_call"')],
    ['later system message', messages.slice(2).some(({ role }) => role === 'system')],
    ['system prompt', payload.system !== undefined],
    ['reused call ids', new Set(ids).size < ids.length],
    ['thinking', blocks.some(({ type }) => type === 'thinking')],
    ['redacted thinking', blocks.some(({ type }) => type === 'redacted_thinking')],
    ['cache breakpoint', json.includes('"cache_control"')],
    ['server tool', json.includes('"server_tool_use"')],
    ['summary', json.includes('"isSummary":true')],
    ['pinned skill', json.includes('"isSkill":true')],
    ['truncation marker', json.includes('"isTruncationMarker":true')],
    ['calls without id', neurolinkCalls.some(({ toolCallId }) => toolCallId === undefined)],
    ['calls with id', neurolinkCalls.some(({ toolCallId }) => toolCallId !== undefined)],
    ['identical results', new Set(substantial).size < substantial.length],
    ['repeated reads', new Set(targets).size < targets.length],
    ['short result', texts.some((text) => text.length < 10)],
    ['error result', texts.some((text) => text.includes('failed with status'))],
    ['message over 10k', messages.some((message) => JSON.stringify(message).length > 10_000)],
    ['lone surrogate', /\\ud[89a-f]/.test(json)],
    ['control characters', json.includes('\\u001b')],
    ['CJK or emoji', /[\u4e00-\u9fff]|😀|🧵/u.test(json)],
  ]
  return new Set(seen.filter(([, isSeen]) => isSeen).map(([name]) => name))
}

/** The calls of each message that makes some; in NeuroLink, of each run of messages. */
function callRuns(messages: readonly Item[]): Item[][] {
  const runs: Item[][] = []
  messages.forEach((message, index) => {
    if (message.role === 'tool_call') {
      if (messages[index - 1]?.role === 'tool_call') runs.at(-1)?.push(message)
      else runs.push([message])
    }
    const made = items(message.tool_calls)
    const used = items(message.content).filter(({ type }) => type === 'tool_use')
    if (made.length + used.length > 0) runs.push([...made, ...used])
  })
  return runs
}

function resultsOf(messages: readonly Item[]): Item[] {
  return messages.flatMap((message) =>
    message.role === 'tool' || message.role === 'tool_result'
      ? [message]
      : items(message.content).filter(({ type }) => type === 'tool_result'),
  )
}

function ownsProto(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(ownsProto)
}
