import { asArray, asRecord, type JsonRecord } from '../wire-rules/json.ts'
import { piecesOf } from './speak.ts'
import type { LlmProtocol, ModelCall, ModelTurn, Reply, TurnContext } from './types.ts'
import { unknownMember } from './unknown-member.ts'

/** Reference, `models.generateContent` and `models.countTokens`; protocol buffers take both spellings. */
const KNOWN: ReadonlySet<string> = new Set([
  ...['cachedContent', 'contents', 'generateContentRequest', 'generationConfig', 'labels'],
  ...['model', 'safetySettings', 'systemInstruction', 'toolConfig', 'tools'],
  ...['cached_content', 'generation_config', 'safety_settings', 'system_instruction'],
  ...['tool_config'],
])

/** `models/{model}:generateContent`, `:streamGenerateContent` and `:countTokens`. */
export const gemini: LlmProtocol = {
  format: 'gemini',

  authorise: (headers, url) => {
    const key = headers['x-goog-api-key'] ?? url.searchParams.get('key') ?? headers.authorization
    if (key === undefined || key === null) {
      return geminiError(
        403,
        "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
      )
    }
    return String(key).includes('invalid')
      ? geminiError(400, 'API key not valid. Please pass a valid API key.')
      : undefined
  },

  validate: (body) => {
    const stranger = unknownMember(body, KNOWN)
    if (stranger !== undefined) {
      return geminiError(
        400,
        `Invalid JSON payload received. Unknown name "${stranger}": Cannot find field.`,
      )
    }
    return asArray(body.contents).length > 0
      ? undefined
      : geminiError(400, '* GenerateContentRequest.contents: contents is not specified\n')
  },

  refuse: (rule) =>
    geminiError(400, REFUSALS[rule] ?? `Request contains an invalid argument (${rule}).`),

  withQuestion: (body) => ({
    ...body,
    contents: [...asArray(body.contents), { role: 'user', parts: [{ text: '?' }] }],
  }),
  prompt: ({ contents, systemInstruction, system_instruction, tools }) => [
    contents,
    systemInstruction,
    system_instruction,
    tools,
  ],
  /** The window of Gemini is that of the input alone. */
  outputLimit: () => undefined,
  overflow: ({ tokens, window }) =>
    geminiError(
      400,
      `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${window}).`,
    ),

  toolNames: ({ tools }) =>
    asArray(tools)
      .flatMap((tool) => {
        const { functionDeclarations, function_declarations } = asRecord(tool)
        return [...asArray(functionDeclarations), ...asArray(function_declarations)]
      })
      .map((declaration) => String(asRecord(declaration).name)),
  callInputs: ({ contents }) =>
    asArray(contents)
      .flatMap((content) => asArray(asRecord(content).parts).map(asRecord))
      .flatMap(({ functionCall }) =>
        functionCall === undefined ? [] : [asRecord(functionCall).args],
      ),
  isStream: (_, { stream }) => stream !== undefined,

  answer: (turn, context) =>
    response(context, [...textParts([turn.text]), ...callParts(turn)], true),

  /** Calls come in one piece: clients keep each piece as a content, and calls must follow a user's. */
  events: (turn, context) => {
    const texts = textParts(piecesOf(turn.text)).map((part) => [part])
    const pieces = turn.calls.length > 0 ? [[...textParts([turn.text]), ...callParts(turn)]] : texts
    return pieces.map((parts, index) =>
      event(response(context, parts, index === pieces.length - 1)),
    )
  },

  countReply: (totalTokens) => ({ totalTokens }),
  error: (status, message) =>
    geminiError(status, message ?? MESSAGES[status] ?? 'Internal error encountered.'),
  errorEvent: () => event(geminiError(503).body),
}

/** The words of the API, for what it checks of function calls. */
const REFUSALS: Readonly<Record<string, string>> = {
  'call-without-result':
    'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
  'duplicate-result':
    'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
  'result-without-call':
    'Please ensure that function response turn comes immediately after a function call turn.',
  'result-misplaced':
    'Please ensure that function response turn comes immediately after a function call turn.',
  'call-placement':
    'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
}

/** google.rpc.Code of an HTTP status. */
const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
}

const MESSAGES: Readonly<Record<number, string>> = {
  429: 'You exceeded your current quota, please check your plan and billing details. Quota exceeded for metric: generate_content_free_tier_input_token_count, limit: 250000.',
  503: 'The model is overloaded. Please try again later.',
}

export function geminiError(code: number, message = MESSAGES[code]): Reply {
  return { status: code, body: { error: { code, message, status: STATUSES[code] ?? 'UNKNOWN' } } }
}

function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\r\n\r\n`
}

function textParts(texts: readonly string[]): JsonRecord[] {
  return texts.map((text) => ({ text }))
}

function callParts({ calls }: ModelTurn): JsonRecord[] {
  return calls.map(toPart)
}

function toPart({ id, name, input }: ModelCall) {
  return { functionCall: { id, name, args: input } }
}

function response({ seed, model, usage }: TurnContext, parts: readonly unknown[], isLast: boolean) {
  const { input, output } = usage
  return {
    candidates: [
      { content: { role: 'model', parts }, index: 0, ...(isLast && { finishReason: 'STOP' }) },
    ],
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: output,
      totalTokenCount: input + output,
    },
    modelVersion: model,
    responseId: seed,
  }
}
