import { expect } from 'vitest'

type Members = Readonly<Record<string, unknown>>

/** The same small conversation in the words of one API. */
export interface ApiSample {
  readonly name: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly request: (turns: readonly unknown[]) => Members
  readonly user: (text: string) => unknown
  readonly call: (id: string, step?: number) => unknown
  readonly result: (id: string, text: string) => unknown
  readonly tools: Members
  readonly callWithoutResult: string
  readonly resultWithoutCall: string
  /** What an overflow of 200 tokens looks like. */
  readonly overflow: Members
}

const SCHEMA = { type: 'object', properties: { step: { type: 'integer' } } }
const BEARER = { authorization: 'Bearer test-key' }

const chat: ApiSample = {
  name: 'chat completions',
  path: '/v1/chat/completions',
  headers: BEARER,
  request: (messages) => ({ model: 'gpt-4o', messages }),
  user: (content) => ({ role: 'user', content }),
  call: (id, step = 1) => ({
    role: 'assistant',
    content: null,
    tool_calls: [
      { id, type: 'function', function: { name: 'read', arguments: JSON.stringify({ step }) } },
    ],
  }),
  result: (tool_call_id, content) => ({ role: 'tool', tool_call_id, content }),
  tools: { tools: [{ type: 'function', function: { name: 'read', parameters: SCHEMA } }] },
  callWithoutResult:
    'The following tool_call_ids did not have response messages: call_0001","type":"invalid_request_error","param":"messages.[2].role"',
  resultWithoutCall: "messages with role 'tool' must be a response to a preceeding message",
  overflow: {
    error: {
      code: 'context_length_exceeded',
      type: 'invalid_request_error',
      param: 'messages',
      message: expect.stringContaining("This model's maximum context length is 200 tokens."),
    },
  },
}

const responses: ApiSample = {
  name: 'Responses',
  path: '/v1/responses',
  headers: BEARER,
  request: (input) => ({ model: 'gpt-4o', input }),
  user: (content) => ({ role: 'user', content }),
  call: (call_id, step = 1) => ({
    type: 'function_call',
    call_id,
    name: 'read',
    arguments: JSON.stringify({ step }),
  }),
  result: (call_id, output) => ({ type: 'function_call_output', call_id, output }),
  tools: { tools: [{ type: 'function', name: 'read', parameters: SCHEMA, strict: false }] },
  callWithoutResult: 'No tool output found for function call call_0001.',
  resultWithoutCall: 'No tool call found for function call output with call_id call_0001.',
  overflow: {
    error: {
      code: 'context_length_exceeded',
      type: 'invalid_request_error',
      param: 'input',
      message:
        'Your input exceeds the context window of this model. Please adjust your input and try again.',
    },
  },
}

const messages: ApiSample = {
  name: 'Messages',
  path: '/v1/messages',
  headers: { 'x-api-key': 'test-key', 'anthropic-version': '2023-06-01' },
  request: (turns) => ({ model: 'claude-opus-5-5', max_tokens: 10, messages: turns }),
  user: (content) => ({ role: 'user', content }),
  call: (id, step = 1) => ({
    role: 'assistant',
    content: [{ type: 'tool_use', id, name: 'read', input: { step } }],
  }),
  result: (tool_use_id, content) => ({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id, content }],
  }),
  tools: { tools: [{ name: 'read', input_schema: SCHEMA }] },
  callWithoutResult:
    'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: call_0001.',
  resultWithoutCall:
    'messages.1.content.0: unexpected `tool_use_id` found in `tool_result` blocks: call_0001.',
  overflow: {
    type: 'error',
    error: {
      type: 'invalid_request_error',
      message: expect.stringMatching(/^prompt is too long: \d+ tokens > 200 maximum$/),
    },
  },
}

const generateContent: ApiSample = {
  name: 'generateContent',
  path: '/v1beta/models/gemini-2.5-pro:generateContent',
  headers: { 'x-goog-api-key': 'test-key' },
  request: (contents) => ({ contents }),
  user: (text) => ({ role: 'user', parts: [{ text }] }),
  call: (id, step = 1) => ({
    role: 'model',
    parts: [{ functionCall: { id, name: 'read', args: { step } } }],
  }),
  result: (id, output) => ({
    role: 'user',
    parts: [{ functionResponse: { id, name: 'read', response: { output } } }],
  }),
  tools: { tools: [{ functionDeclarations: [{ name: 'read', parameters: SCHEMA }] }] },
  callWithoutResult:
    'the number of function response parts is equal to the number of function call',
  resultWithoutCall: 'function response turn comes immediately after a function call turn',
  overflow: {
    error: {
      code: 400,
      status: 'INVALID_ARGUMENT',
      message: expect.stringMatching(
        /^The input token count \(\d+\) exceeds the maximum number of tokens allowed \(200\)\.$/,
      ),
    },
  },
}

export const API_SAMPLES = [chat, responses, messages, generateContent] as const
