import { type LoggerOptions, pino } from 'pino'
import { PrecisError } from '../engine/errors.ts'

/** The parts of Fastify's request and reply that a log line may show. */
interface LoggedRequest {
  readonly id?: unknown
  readonly method?: string
  readonly ip?: string
  readonly routeOptions?: { readonly url?: string }
}

interface LoggedReply {
  readonly statusCode?: number
}

/** Headers and members that carry keys, should anybody ever log them whole. */
const SECRET_PATHS = ['authorization', 'cookie', 'x-api-key', 'apiKey', 'apiKeys'].flatMap(
  (name) => [`["${name}"]`, `*["${name}"]`, `*.headers["${name}"]`],
)

/**
 * Options of the service's logger. No line can hold a message of a conversation (P12): a request is
 * its method and route, never its URL, headers or body, and of an error there is the kind, the code
 * and where it happened, since the message of a foreign error may quote what it choked on.
 */
export function loggerOptions(level: string): LoggerOptions {
  return {
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET_PATHS, censor: '[redacted]' },
    serializers: { req: serializeRequest, res: serializeReply, err: serializeError },
    hooks: {
      // Given an error and no text, pino takes the error's message for the text.
      logMethod(parameters, method) {
        const [first, text] = parameters as unknown as [unknown, unknown]
        if (text === undefined && hasError(first)) {
          method.apply(this, [first instanceof Error ? { err: first } : first, 'error'] as never)
        } else {
          method.apply(this, parameters)
        }
      },
    },
  }
}

function hasError(value: unknown): value is object {
  return value instanceof Error || (typeof value === 'object' && value !== null && 'err' in value)
}

function serializeRequest(request: LoggedRequest) {
  return {
    id: request.id,
    method: request.method,
    route: request.routeOptions?.url ?? 'unmatched',
    remoteAddress: request.ip,
  }
}

function serializeReply(reply: LoggedReply) {
  return { statusCode: reply.statusCode }
}

export interface LoggedError {
  readonly type: string
  readonly code?: string
  readonly message?: string
  readonly stack: string
  readonly cause?: LoggedError
}

/** A chain of causes longer than this is a loop. */
const MAX_CAUSES = 5

/** Keeps what names and places an error. The text is kept only of errors that are written here. */
export function serializeError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, stack: '' }
  const { code } = error as { code?: unknown }
  return {
    type: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    ...(error instanceof PrecisError ? { message: error.message } : {}),
    stack: stackFrames(error),
    ...(error.cause !== undefined && depth < MAX_CAUSES
      ? { cause: serializeError(error.cause, depth + 1) }
      : {}),
  }
}

/**
 * The stack begins with the message, which may run over several lines and look like frames. Where the
 * two no longer agree, the message cannot be told from the frames, and nothing is kept.
 */
function stackFrames(error: Error): string {
  const stack = error.stack ?? ''
  const head = stack.indexOf(error.message)
  if (head === -1) return ''
  return stack
    .slice(head + error.message.length)
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
}
