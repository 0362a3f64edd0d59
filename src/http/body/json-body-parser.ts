import type { FastifyRequest } from 'fastify'
import { PrecisError } from '../../engine/errors.ts'
import { locateJsonError } from '../../json-text/locate-json-error.ts'
import { createJsonDecoder, type DecodeJson, decodeJsonText } from './decode-json.ts'
import { type BrokenBound, findBrokenBound, type StructureBounds } from './structure-bounds.ts'

export type JsonBodyParser = (
  request: FastifyRequest,
  body: Buffer,
  done: (error: Error | null, value?: unknown) => void,
) => void

/**
 * Parses JSON bodies from their bytes:
 * `app.addContentTypeParser('application/json', { parseAs: 'buffer' }, createJsonBodyParser(BODY_BOUNDS))`.
 *
 * Values are those of `JSON.parse`: duplicate members, the last one wins; `__proto__` is a member like
 * any other. Fails with `invalid-request` (rules `max-depth` and `max-values`), decided before anything is parsed,
 * or `invalid-json` (rule `json`); neither carries the parser's own error, which quotes the body.
 */
export const createJsonBodyParser = (bounds: StructureBounds): JsonBodyParser => {
  const decode = createJsonDecoder()
  return (_request, body, done) => {
    const outcome = parse(body, bounds, decode)
    if (outcome instanceof PrecisError) done(outcome)
    else done(null, outcome.value)
  }
}

/** The same for whoever has the bytes and no request; throws what the parser fails with. */
export const createJsonReader = (bounds: StructureBounds): ((body: Buffer) => unknown) => {
  const decode = createJsonDecoder()
  return (body) => {
    const outcome = parse(body, bounds, decode)
    if (outcome instanceof PrecisError) throw outcome
    return outcome.value
  }
}

const parse = (
  body: Buffer,
  bounds: StructureBounds,
  decode: DecodeJson,
): PrecisError | { readonly value: unknown } => {
  const rule = findBrokenBound(body, bounds)
  if (rule !== undefined) {
    const detail = BROKEN[rule](bounds)
    return new PrecisError('invalid-request', detail, { faults: [{ pointer: '', rule, detail }] })
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

const BROKEN: Readonly<Record<BrokenBound, (bounds: StructureBounds) => string>> = {
  'max-depth': ({ maxDepth }) => `Arrays and objects are nested more than ${maxDepth} deep`,
  'max-values': ({ maxValues }) => `There are more than ${maxValues} commas and opening brackets`,
}

const describe = (body: Buffer): string => {
  if (body.length === 0) return 'The body is empty; it must be a JSON document'
  const position = locateJsonError(decodeJsonText(body))
  return position === undefined
    ? 'The body is not a JSON document'
    : `The body stops being JSON at line ${position.line}, column ${position.column}`
}
