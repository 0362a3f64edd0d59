import { type Static, Type } from 'typebox'
import { brokenSchema } from '../contract/validation/broken-schema.ts'
import { cutPointer } from '../contract/validation/json-pointer.ts'
import type { SchemaError } from '../contract/validation/validation-faults.ts'
import { ERRORS, type ErrorCode, type Fault, PrecisError } from '../engine/errors.ts'

export const PROBLEM_MEDIA_TYPE = 'application/problem+json'
export const PROBLEM_SCHEMA_ID = 'Problem'

/** Codes are ours, and no domain is: a URN names a type for good without pretending to be a link. */
const TYPE_PREFIX = 'urn:precis:problem:'

/** A caller reads a few faults at a time; more are cut, and the last one says so. */
const MAX_FAULTS = 50

const FaultSchema = Type.Object({
  pointer: Type.String({ description: 'JSON Pointer (RFC 6901) into the request body.' }),
  rule: Type.String({ description: 'Stable name of the rule that is broken.' }),
  detail: Type.String({ description: 'What is wrong and what would be right.' }),
})

export const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: `\`${TYPE_PREFIX}\` and the code.` }),
    title: Type.String(),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String(),
    instance: Type.String({ description: 'Id of the request, as in the x-request-id header.' }),
    code: Type.Enum(Object.keys(ERRORS) as ErrorCode[]),
    retryable: Type.Boolean({ description: 'The same request may succeed later.' }),
    errors: Type.Array(FaultSchema, { description: 'One entry per broken rule; may be empty.' }),
  },
  { $id: PROBLEM_SCHEMA_ID, title: 'Problem', description: 'A problem document as in RFC 9457.' },
)

export type Problem = Static<typeof ProblemSchema>

/**
 * The one map from anything thrown to a problem document. Total: what is not known is `internal`,
 * without its message.
 */
export function toProblem(error: unknown, instance: string): Problem {
  const { code, detail, faults } = classify(error)
  const { status, title, retryable } = ERRORS[code]
  return {
    type: TYPE_PREFIX + code,
    title,
    status,
    detail,
    instance,
    code,
    retryable,
    errors: boundedFaults(faults),
  }
}

/** Seconds for a Retry-After header, where one belongs. */
export function retryAfterOf(error: unknown, problem: Problem): number | undefined {
  if (error instanceof PrecisError && error.retryAfter !== undefined) {
    return Math.max(0, Math.ceil(error.retryAfter))
  }
  return problem.status === 503 ? 1 : undefined
}

interface Classified {
  readonly code: ErrorCode
  readonly detail: string
  readonly faults: readonly Fault[]
}

const classified = (
  code: ErrorCode,
  detail: string,
  faults: readonly Fault[] = [],
): Classified => ({ code, detail, faults })

interface FastifyLikeError {
  readonly code?: unknown
  readonly statusCode?: unknown
  readonly validation?: readonly SchemaError[]
  readonly validationContext?: unknown
}

/** Codes of Fastify and its plugins. Their messages may quote the request, so none is passed on. */
const FASTIFY_CODES: Readonly<Record<string, Classified>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: classified('invalid-json', 'The body could not be parsed.'),
  FST_ERR_CTP_EMPTY_JSON_BODY: classified('invalid-json', 'The body is empty.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: classified(
    'invalid-request',
    'The body is not as long as its content-length says.',
  ),
  FST_ERR_CTP_BODY_TOO_LARGE: classified(
    'payload-too-large',
    'The body has more bytes than the service accepts.',
  ),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: classified(
    'unsupported-media-type',
    'Send the body as application/json.',
  ),
  FST_ERR_NOT_FOUND: classified('not-found', 'There is nothing at this path.'),
  FST_ERR_BAD_URL: classified('invalid-request', 'The path of the URL is not well-formed.'),
  FST_ERR_MAX_PARAM_LENGTH: classified('not-found', 'There is nothing at this path.'),
  FST_UNDER_PRESSURE: classified('overloaded', 'The service is busy; try again soon.'),
}

function classify(error: unknown): Classified {
  if (error instanceof PrecisError) return classified(error.code, error.message, error.faults)
  if (!(error instanceof Error)) return internal()
  const { code, validation, validationContext, statusCode } = error as FastifyLikeError
  if (validation !== undefined) {
    const where = typeof validationContext === 'string' ? validationContext : 'request'
    return classify(brokenSchema(where, validation))
  }
  const known = typeof code === 'string' ? FASTIFY_CODES[code] : undefined
  if (known !== undefined) return known
  // A body stream that breaks off carries 400 and no code that would be worth a row.
  if (statusCode === 400) return classified('invalid-request', 'The request could not be read.')
  return internal()
}

function internal(): Classified {
  return classified('internal', 'The service failed; the request id leads to its log.')
}

function boundedFaults(faults: readonly Fault[]): Problem['errors'] {
  const shown = faults.slice(0, MAX_FAULTS).map(({ pointer, rule, detail }) => ({
    pointer: cutPointer(pointer),
    rule,
    detail,
  }))
  const hidden = faults.length - shown.length
  if (hidden > 0) {
    shown.push({ pointer: '', rule: 'more-errors', detail: `${hidden} more are not listed` })
  }
  return shown
}
