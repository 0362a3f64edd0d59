import type { ErrorCode } from '../../src/engine/errors.ts'

/** Stands in every message of these requests; nobody may repeat it. */
export const SECRET = 'wombat'

export interface BadRequest {
  readonly what: string
  /** Sent as it is where it is text or bytes, else as JSON. */
  readonly body: unknown
  readonly code: ErrorCode
  readonly pointer: string
  readonly rule: string
}

type Members = Readonly<Record<string, unknown>>

const MESSAGES = [
  { role: 'user', content: `${SECRET}: the task` },
  { role: 'assistant', content: `${SECRET}: the answer` },
  { role: 'user', content: `${SECRET}: the request` },
]
const GOOD = { format: 'openai-chat', messages: MESSAGES, targetTokens: 1_000 }
const GOOD_TEXT = JSON.stringify(GOOD)

const nest = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

/** A good request with one number that JSON.stringify could not write. */
const withTarget = (literal: string) => GOOD_TEXT.replace('1000', literal)

const notJson = (what: string, body: unknown, rule = 'json'): BadRequest => ({
  what,
  body,
  code: 'invalid-json',
  pointer: '',
  rule,
})

/** A good request but for these members, the first of which is at fault unless a pointer says where. */
const invalid = (
  what: string,
  members: Members,
  rule: string,
  pointer = `/${Object.keys(members)[0]}`,
): BadRequest => ({ what, body: { ...GOOD, ...members }, code: 'invalid-request', pointer, rule })

const tooDeep = (what: string, body: string): BadRequest => ({
  what,
  body,
  code: 'invalid-request',
  pointer: '',
  rule: 'max-depth',
})

const option = (what: string, stage: string, name: string, value: unknown, rule: string) =>
  invalid(what, { options: { [stage]: { [name]: value } } }, rule, `/options/${stage}/${name}`)

const UNKNOWN = 'additionalProperties'

export const BAD_BODIES: readonly BadRequest[] = [
  notJson('an empty body', ''),
  notJson('a body that is no JSON', `{"messages":["${SECRET}",]}`),
  notJson('half a body', GOOD_TEXT.slice(0, -9)),
  notJson('two documents', `${GOOD_TEXT}{}`),
  notJson('another encoding', Buffer.from(`{"${SECRET}":"caf\xe9"}`, 'latin1'), 'utf-8'),
  tooDeep('100,000 levels', `{"messages":${nest(100_000)}}`),
  tooDeep('100,000 open brackets', '['.repeat(100_000)),
  { ...invalid('a list', {}, 'type', ''), body: [MESSAGES] },
  { ...invalid('no messages', {}, 'required', '/messages'), body: { targetTokens: 5 } },
  invalid('an unknown member', { targetToken: 5 }, UNKNOWN),
  invalid('an unknown profile', { profile: 'fast' }, 'enum'),
  invalid('an unknown explanation', { explain: 'some' }, 'enum'),
  invalid('a dry run of 1', { dryRun: 1 }, 'type'),
  invalid('a current request that is a number', { currentRequest: 7 }, 'type'),
  invalid('messages that are an object', { messages: { 0: MESSAGES[0] } }, 'type'),
  invalid('messages that are null', { messages: null }, 'type'),
  invalid('tools that are texts', { tools: [SECRET] }, 'type', '/tools/0'),
  invalid('instructions that are a number', { system: 7 }, 'type'),
  invalid('a pin of an unknown id', { pins: [0, SECRET] }, 'existing-message', '/pins/1'),
  invalid('a pin past the end', { pins: [MESSAGES.length] }, 'existing-message', '/pins/0'),
  invalid('a negative pin', { pins: [-1] }, 'anyOf', '/pins/0'),
  invalid('half a pin', { pins: [0.5] }, 'type', '/pins/0'),
  invalid('a file of negative size', { files: [{ tokens: -1 }] }, 'minimum', '/files/0/tokens'),
  invalid('a file whose text is a number', { files: [{ text: 7 }] }, 'type', '/files/0/text'),
  invalid('a file of a name alone', { files: [{ name: SECRET }] }, 'anyOf', '/files/0'),
]

export const BAD_OPTIONS: readonly BadRequest[] = [
  invalid('an unknown stage', { options: { pruning: {} } }, UNKNOWN, '/options/pruning'),
  option('a misspelt option', 'prune', 'enabeld', true, UNKNOWN),
  option('an option above its bound', 'relevance', 'minDropConfidence', 1.01, 'maximum'),
  option('an option below its bound', 'collapse', 'keepRecent', -1, 'minimum'),
  option('a fraction for a count', 'collapse', 'keepRecent', 1.5, 'type'),
  option('a word for a switch', 'relevance', 'enabled', 'yes', 'type'),
  option('a text for a number', 'summarize', 'keepRecentRatio', '0.3', 'type'),
  option('a word that is no order', 'relevance', 'order', 'newest-first', 'enum'),
  option('null for a switch', 'truncate', 'enabled', null, 'type'),
]

const outputOf = (maxOutputTokens: number): BadRequest => ({
  what: `an output of ${maxOutputTokens} in a window of 1,000`,
  body: { messages: MESSAGES, contextWindow: 1_000, maxOutputTokens },
  code: 'invalid-budget',
  pointer: '/maxOutputTokens',
  rule: 'less-than-context-window',
})

export const BAD_NUMBERS: readonly BadRequest[] = [
  invalid('a threshold of 0', { compactionThreshold: 0 }, 'exclusiveMinimum'),
  invalid('a negative threshold', { compactionThreshold: -0.5 }, 'exclusiveMinimum'),
  invalid('a threshold of 1.5', { compactionThreshold: 1.5 }, 'maximum'),
  invalid('a threshold in quotes', { compactionThreshold: '0.5' }, 'type'),
  invalid('a target of 0', { targetTokens: 0 }, 'minimum'),
  invalid('a negative target', { targetTokens: -1 }, 'minimum'),
  invalid('a target of "NaN"', { targetTokens: 'NaN' }, 'type'),
  invalid('a target of null', { targetTokens: null }, 'type'),
  notJson('a target of NaN', withTarget('NaN')),
  { ...invalid('a target of 1e400', { targetTokens: 0 }, 'type'), body: withTarget('1e400') },
  { ...invalid('a target of -1e400', { targetTokens: 0 }, 'type'), body: withTarget('-1e400') },
  invalid('a window of 0', { contextWindow: 0 }, 'minimum'),
  outputOf(1_000),
  outputOf(5_000),
]

const conversation = (
  what: string,
  code: ErrorCode,
  members: Members,
  pointer: string,
  rule: string,
): BadRequest => ({ what, code, body: { ...GOOD, ...members }, pointer, rule })

const CALL = { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {} }] }
const OTHER_CALL = { role: 'tool_call', tool: 'f', toolCallId: 'c', args: {}, content: '' }
const NO_FORMAT = { format: undefined }

export const BAD_CONVERSATIONS: readonly BadRequest[] = [
  conversation('no message', 'empty-conversation', { messages: [] }, '/messages', 'min-items'),
  conversation('an unknown format', 'unknown-format', { format: 'x' }, '/format', 'known-format'),
  conversation(
    'a conversation of no format',
    'unknown-format',
    { ...NO_FORMAT, messages: [{ role: 'robot', content: SECRET }] },
    '/messages/0/role',
    'format-evidence',
  ),
  conversation(
    'a conversation of two formats',
    'ambiguous-format',
    { ...NO_FORMAT, messages: [OTHER_CALL, CALL] },
    '/messages/1/content/0/type',
    'format-evidence',
  ),
  ...(['openai-chat', 'anthropic-messages', 'neurolink'] as const).flatMap(badMessages),
]

function badMessages(format: string): BadRequest[] {
  const last = (what: string, message: unknown, at: string, rule: string) =>
    conversation(
      `a ${format} message ${what}`,
      'invalid-conversation',
      { format, messages: [...MESSAGES, message] },
      `/messages/${MESSAGES.length}${at}`,
      rule,
    )
  return [
    last('that is a text', SECRET, '', 'message-object'),
    last('that is null', null, '', 'message-object'),
    last('that is a list', [SECRET], '', 'message-object'),
    last('without a role', { content: SECRET }, '/role', 'role-required'),
    last('of an unknown role', { role: 'robot', content: SECRET }, '/role', 'role-unknown'),
    last('whose role is a number', { role: 7, content: SECRET }, '/role', 'role-unknown'),
    last('whose content is a number', { role: 'user', content: 7 }, '/content', 'content-type'),
    last('whose content is an object', { role: 'user', content: {} }, '/content', 'content-type'),
    last(
      'with a part that is a number',
      { role: 'user', content: [7] },
      '/content/0',
      'part-object',
    ),
  ]
}
