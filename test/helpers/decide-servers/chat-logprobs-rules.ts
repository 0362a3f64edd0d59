import { type Fields, isFields } from './validation.ts'

export interface ChatFault {
  readonly message: string
  readonly param: string
}

/** The first rule of the chat completions API that a request breaks. */
export function findChatFault(body: unknown, maxTopLogprobs: number): ChatFault | undefined {
  if (!isFields(body)) return fault('body', 'an object')
  if (typeof body.model !== 'string') return fault('model', 'a string')
  const { messages } = body
  if (!Array.isArray(messages) || messages.length === 0) return fault('messages', 'not empty')
  if (!messages.every(isMessage)) return fault('messages', 'messages of text with a role')
  return findLogprobsFault(body, maxTopLogprobs) ?? findLengthFault(body)
}

function findLogprobsFault(body: Fields, most: number): ChatFault | undefined {
  const { logprobs, top_logprobs: top } = body
  if (logprobs !== undefined && typeof logprobs !== 'boolean') return fault('logprobs', 'a boolean')
  if (top === undefined) return undefined
  if (logprobs !== true) return fault('top_logprobs', 'set only with logprobs')
  return Number.isInteger(top) && Number(top) >= 0 && Number(top) <= most
    ? undefined
    : fault('top_logprobs', `an integer from 0 to ${most}`)
}

function findLengthFault(body: Fields): ChatFault | undefined {
  const { max_tokens: old, max_completion_tokens: current, temperature } = body
  if (old !== undefined && current !== undefined) return fault('max_tokens', 'the only one of two')
  const length = current ?? old
  if (length !== undefined && !(Number.isInteger(length) && Number(length) > 0)) {
    return fault('max_completion_tokens', 'a positive integer')
  }
  const isWarm = typeof temperature === 'number' && temperature >= 0 && temperature <= 2
  return temperature === undefined || isWarm ? undefined : fault('temperature', '0 to 2')
}

function isMessage(message: unknown): boolean {
  return (
    isFields(message) &&
    ['system', 'developer', 'user', 'assistant'].includes(String(message.role)) &&
    typeof message.content === 'string'
  )
}

function fault(param: string, what: string): ChatFault {
  return { message: `${param} has to be ${what}.`, param }
}

/** What the model reads, as one text. */
export function promptOf(body: Fields): string {
  return (body.messages as Fields[]).map(({ content }) => String(content)).join('\n')
}
