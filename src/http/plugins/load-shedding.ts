import { Transform } from 'node:stream'
import underPressure from '@fastify/under-pressure'
import type { FastifyRequest, RequestPayload } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { LimitsConfig } from '../../config.ts'
import { PrecisError } from '../../engine/errors.ts'
import type { InFlight, UnannouncedPlace } from '../in-flight.ts'
import { isWork } from '../route-config.ts'
import { whenClosed } from '../when-closed.ts'

export interface LoadSheddingOptions {
  readonly limits: LimitsConfig
  readonly inFlight: InFlight
}

const RETRY_AFTER_SECONDS = 1

const MIN_SAMPLE_INTERVAL_MS = 1_000

/** Refuses work that the service could only make wait, before its body is read. */
export const loadShedding = fastifyPlugin<LoadSheddingOptions>(
  async (app, { limits, inFlight }) => {
    await app.register(underPressure, {
      maxEventLoopDelay: limits.maxEventLoopDelayMs,
      // An interval in which the loop never turned counts as endless: it must not be shorter than the limit.
      sampleInterval: Math.max(MIN_SAMPLE_INTERVAL_MS, limits.maxEventLoopDelayMs),
      pressureHandler: (request) => {
        if (isWork(request)) throw overloaded('The service answers too slowly at the moment.')
      },
    })
    const unannounced = new WeakMap<FastifyRequest, UnannouncedPlace>()
    app.addHook('onRequest', async (request, reply) => {
      if (!isWork(request)) return
      if (request.headers['transfer-encoding'] !== undefined) {
        const place = inFlight.enterUnannounced()
        if (place === undefined) throw full()
        whenClosed(reply, place.leave)
        unannounced.set(request, place)
        return
      }
      // By HTTP a request that says neither has no body.
      const bytes = Number(request.headers['content-length'] ?? 0)
      const leave = inFlight.enter(Math.min(bytes, limits.bodyLimitBytes))
      if (leave === undefined) throw full()
      whenClosed(reply, leave)
    })
    // Counted as it comes: as the largest that a body may be, a few small ones would shut all others out.
    app.addHook('preParsing', (request, reply, payload, done) => {
      const place = unannounced.get(request)
      if (place === undefined) return done(null, payload)
      const counted = countBody(payload, place)
      // What nobody has read by then would keep the next request of the connection waiting.
      whenClosed(reply, () => payload.unpipe(counted).resume())
      done(null, counted)
    })
  },
  { name: 'load-shedding', fastify: '5.x' },
)

/** The same bytes, for as long as there is room for them. */
function countBody(payload: RequestPayload, { grow }: UnannouncedPlace): Transform {
  const counted = new Transform({
    transform: (chunk: Buffer, _encoding, done) =>
      grow(chunk.length) ? done(null, chunk) : done(full()),
  })
  // Not a pipeline, which would destroy the request, and with it the way to answer it.
  payload.once('error', (error) => counted.destroy(error))
  // Whoever reads it hears of it; once it has been answered, nobody does.
  counted.on('error', () => undefined)
  return payload.pipe(counted)
}

function full(): PrecisError {
  return overloaded('Too many requests are in progress.')
}

function overloaded(detail: string): PrecisError {
  return new PrecisError('overloaded', detail, { retryAfter: RETRY_AFTER_SECONDS })
}
