import { findFaults } from '../wire-rules/index.ts'
import { asRecord, type JsonRecord } from '../wire-rules/json.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import { countPromptTokens, countTextTokens } from './count-prompt-tokens.ts'
import { gemini } from './gemini.ts'
import type { LlmFault } from './llm-fault.ts'
import type { LlmServerRules } from './llm-rules.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiError } from './openai-errors.ts'
import { openaiResponses } from './openai-responses.ts'
import type { LiveRecord } from './recorded-request.ts'
import type { Delivery } from './send-answer.ts'
import { speak } from './speak.ts'
import type { StoredConversations } from './stored-responses.ts'
import type { LlmApi, LlmProtocol, LlmRoute, Reply, TurnContext } from './types.ts'

const PROTOCOLS: Readonly<Record<LlmApi, LlmProtocol>> = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  'anthropic-messages': anthropicMessages,
  gemini,
}

export type LlmAnswer = Delivery

export interface RequestToAnswer {
  readonly url: URL
  readonly route: LlmRoute | undefined
  readonly record: LiveRecord
  readonly seed: string
  readonly fault: LlmFault | undefined
  readonly rules: LlmServerRules
  /** By the APIs whose providers keep conversations. */
  readonly stored: Readonly<Partial<Record<LlmApi, StoredConversations>>>
}

/** The answer to a request as its provider gives it: the first thing that is wrong, or a turn. */
export function answerRequest(request: RequestToAnswer): LlmAnswer {
  const { route, record, fault } = request
  if (fault?.kind === 'raw') return raw(fault, request)
  if (route === undefined) return document(request, openaiError(404, 'Invalid URL'))
  const protocol = PROTOCOLS[route.api]
  if (fault?.kind === 'status') {
    const { status, body } = protocol.error(fault.status, fault.message)
    return document(request, { status, body, ...(fault.headers && { headers: fault.headers }) })
  }
  const refusal = protocol.authorise(record.headers, request.url)
  if (refusal !== undefined) return document(request, refusal)
  if (record.body === undefined) return document(request, unreadable(route.api, protocol))
  return answerBody(request, route, protocol, record.body)
}

function answerBody(
  request: RequestToAnswer,
  route: LlmRoute,
  protocol: LlmProtocol,
  posted: JsonRecord,
): LlmAnswer {
  const { record, seed, rules } = request
  const stored = request.stored[route.api]
  const invalid = protocol.validate(posted)
  if (invalid !== undefined) return document(request, invalid)
  const found = stored?.resolve(posted) ?? { body: posted }
  if ('refusal' in found) return document(request, found.refusal)
  const { body } = found
  const [fault] = findFaults(protocol.format, protocol.withQuestion(body))
  if (fault !== undefined)
    return document(request, protocol.refuse(fault.rule, fault.pointer, body))

  const tokens = countPromptTokens(protocol.prompt(body))
  record.tokens = tokens
  if (route.action === 'count') {
    return document(request, { status: 200, body: protocol.countReply(tokens) })
  }
  const turn = speak(protocol, body, rules)
  const context: TurnContext = {
    seed,
    model: route.model ?? String(posted.model),
    usage: { input: tokens, output: countTextTokens(turn.text) + 20 * turn.calls.length },
    body: posted,
  }
  const isStream = protocol.isStream(posted, route)
  const output = protocol.outputLimit(body)
  if (body.truncation !== 'auto' && tokens + (output ?? 0) > rules.contextWindow) {
    record.isOverflow = true
    const overflow = { tokens, window: rules.contextWindow, output }
    const events = isStream && rules.overflowInStream && protocol.overflowsInStream?.(context)
    if (rules.overflow === undefined && events) return stream(request, events, protocol)
    return document(request, (rules.overflow ?? protocol.overflow)(overflow))
  }
  const answer = protocol.answer(turn, context)
  stored?.remember(body, asRecord(answer))
  if (isStream) return stream(request, protocol.events(turn, context), protocol)
  // Before a document there is no event that could say so.
  const breaks = request.fault?.kind === 'error-mid-answer'
  return document(request, breaks ? protocol.error(500) : { status: 200, body: answer })
}

function unreadable(api: LlmApi, { error }: LlmProtocol): Reply {
  const message =
    api === 'openai-chat' || api === 'openai-responses'
      ? 'We could not parse the JSON body of your request. (HINT: This likely means you aren’t using your HTTP library correctly.)'
      : 'The request body is not valid JSON'
  return error(400, message)
}

/** Gemini without `alt=sse` streams one JSON list, and refuses in a list as well. */
function isListed({ route }: RequestToAnswer): boolean {
  return route?.stream === 'json-array'
}

function document(request: RequestToAnswer, { status, body, headers }: Reply): LlmAnswer {
  return {
    status,
    headers: { ...commonHeaders(request), 'content-type': 'application/json', ...headers },
    pieces: [JSON.stringify(isListed(request) ? [body] : body)],
    isStream: false,
    errorEvent: '',
  }
}

function stream(
  request: RequestToAnswer,
  events: readonly string[],
  { errorEvent }: LlmProtocol,
): LlmAnswer {
  const isList = isListed(request)
  return {
    status: 200,
    headers: {
      ...commonHeaders(request),
      'content-type': isList ? 'application/json' : 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
    },
    pieces: isList ? listOf(events) : events,
    isStream: true,
    errorEvent: isList ? `,\n${dataOf(errorEvent())}` : errorEvent(),
  }
}

function listOf(events: readonly string[]): string[] {
  return events.map((event, index) => {
    const end = index === events.length - 1 ? ']' : ''
    return `${index === 0 ? '[' : ',\r\n'}${dataOf(event)}${end}`
  })
}

function dataOf(event: string): string {
  return event.replace(/^data: /, '').trimEnd()
}

function raw(fault: Extract<LlmFault, { kind: 'raw' }>, request: RequestToAnswer): LlmAnswer {
  return {
    status: fault.status,
    headers: { ...commonHeaders(request), 'content-type': 'text/html', ...fault.headers },
    pieces: [fault.body],
    isStream: false,
    errorEvent: '',
  }
}

/** What providers and the edge before them add, repeated headers included. */
function commonHeaders({ seed }: RequestToAnswer): Record<string, string | readonly string[]> {
  return {
    'x-request-id': `req_${seed}`,
    'request-id': `req_${seed}`,
    'x-ratelimit-remaining-tokens': '149984',
    'anthropic-ratelimit-tokens-remaining': '149984',
    'set-cookie': ['__cf_bm=one; path=/; HttpOnly', '_cfuvid=two; path=/; HttpOnly'],
    'alt-svc': 'h3=":443"; ma=86400',
  }
}
