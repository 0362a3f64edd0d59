import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { PrecisError } from '../../engine/errors.ts'
import { createJsonBodyParser } from '../body/json-body-parser.ts'
import { BODY_BOUNDS } from '../body/structure-bounds.ts'
import { isOffloaded } from '../route-config.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes of the body as it came; 0 without one. */
    bodyBytes: number
    /** The JSON body itself, as it came; null without one. */
    rawBody: Buffer | null
    /** The body is so large that another thread is to parse and validate it. */
    isForWorker: boolean
  }
}

export interface JsonBodyOptions {
  /** Smallest body of an offloaded route that is left to another thread; infinite where there is none. */
  readonly offloadFromBytes: number
}

/** Stands for a body that was not parsed; no schema looks at it. */
export const FOR_WORKER = Object.freeze({})

/**
 * The only parser of bodies. Fastify's own would refuse `__proto__` keys, which are legal in a tool's
 * input, hide where the JSON breaks, and take text/plain for granted, which then fails as a schema
 * error instead of 415. Bytes that are not UTF-8 are refused: decoding replaces them without a word.
 */
export const jsonBody = fastifyPlugin<JsonBodyOptions>(
  async (app, { offloadFromBytes }) => {
    const parse = createJsonBodyParser(BODY_BOUNDS)
    app.decorateRequest('bodyBytes', 0)
    app.decorateRequest('rawBody', null)
    app.decorateRequest('isForWorker', false)
    app.removeAllContentTypeParsers()
    app.addContentTypeParser<Buffer>(
      'application/json',
      { parseAs: 'buffer' },
      (request: FastifyRequest, body: Buffer, done) => {
        request.bodyBytes = body.length
        request.rawBody = body
        if (isEncoded(request)) done(encoded())
        else if (!isUtf8(body)) done(notUtf8())
        else if (isOffloaded(request) && body.length >= offloadFromBytes) {
          request.isForWorker = true
          done(null, FOR_WORKER)
        } else parse(request, body, done)
      },
    )
  },
  { name: 'json-body', fastify: '5.x' },
)

function isEncoded({ headers }: FastifyRequest): boolean {
  const encoding = headers['content-encoding']
  return encoding !== undefined && encoding.toLowerCase() !== 'identity'
}

function encoded(): PrecisError {
  return new PrecisError('unsupported-media-type', 'Send the body without a content-encoding.')
}

function notUtf8(): PrecisError {
  const detail = 'The body is not valid UTF-8.'
  return new PrecisError('invalid-json', detail, {
    faults: [{ pointer: '', rule: 'utf-8', detail }],
  })
}
