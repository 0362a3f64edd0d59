import type { FastifyRequest } from 'fastify'
import { PrecisError } from '../../engine/errors.ts'
import { locateJsonError } from '../../json-text/locate-json-error.ts'
import { createJsonDecoder, type DecodeJson, decodeJsonText } from './decode-json.ts'
import { isNestedDeeperThan } from './nesting-depth.ts'

export interface JsonBodyParserOptions {
  /** Deepest nesting of arrays and objects that is taken; `[[1]]` has depth 2. */
  readonly maxDepth: number
}

export type JsonBodyParser = (
  request: FastifyRequest,
  body: Buffer,
  done: (error: Error | null, value?: unknown) => void,
) => void

/**
 * Parses JSON bodies from their bytes:
 * `app.addContentTypeParser('application/json', { parseAs: 'buffer' }, createJsonBodyParser({ maxDepth }))`.
 *
 * Values are those of `JSON.parse`: duplicate members, the last one wins; `__proto__` is a member like
 * any other. Fails with `invalid-request` (rule `max-depth`), decided before anything is parsed, or
 * `invalid-json` (rule `json`); neither carries the parser's own error, which quotes the body.
 */
export const createJsonBodyParser = ({ maxDepth }: JsonBodyParserOptions): JsonBodyParser => {
  const decode = createJsonDecoder()
  return (_request, body, done) => {
    const outcome = parse(body, maxDepth, decode)
    if (outcome instanceof PrecisError) done(outcome)
    else done(null, outcome.value)
  }
}

/** The same for whoever has the bytes and no request; throws what the parser fails with. */
export const createJsonReader = ({
  maxDepth,
}: JsonBodyParserOptions): ((body: Buffer) => unknown) => {
  const decode = createJsonDecoder()
  return (body) => {
    const outcome = parse(body, maxDepth, decode)
    if (outcome instanceof PrecisError) throw outcome
    return outcome.value
  }
}

const parse = (
  body: Buffer,
  maxDepth: number,
  decode: DecodeJson,
): PrecisError | { readonly value: unknown } => {
  if (isNestedDeeperThan(body, maxDepth)) {
    const detail = `Arrays and objects are nested more than ${maxDepth} deep`
    return new PrecisError('invalid-request', detail, {
      faults: [{ pointer: '', rule: 'max-depth', detail }],
    })
  }
  try {
    return { value: decode(body) }
  } catch {
    // V8's message quotes the text; the place of the fault is found by looking again.
    const detail = describe(body)
    return new PrecisError('invalid-json', detail, {
      faults: [{ pointer: '', rule: 'json', detail }],
    })
  }
}

const describe = (body: Buffer): string => {
  if (body.length === 0) return 'The body is empty; it must be a JSON document'
  const position = locateJsonError(decodeJsonText(body))
  return position === undefined
    ? 'The body is not a JSON document'
    : `The body stops being JSON at line ${position.line}, column ${position.column}`
}
