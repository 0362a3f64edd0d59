import underPressure from '@fastify/under-pressure'
import fastifyPlugin from 'fastify-plugin'
import type { LimitsConfig } from '../../config.ts'
import { PrecisError } from '../../engine/errors.ts'
import type { InFlight } from '../in-flight.ts'
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
    app.addHook('onRequest', async (request, reply) => {
      if (!isWork(request)) return
      const length = Number(request.headers['content-length'])
      // Without a length the body may turn out as long as a body may be.
      const bytes = Number.isFinite(length) ? length : limits.bodyLimitBytes
      const leave = inFlight.enter(Math.min(bytes, limits.bodyLimitBytes))
      if (leave === undefined) throw overloaded('Too many requests are in progress.')
      whenClosed(reply, leave)
    })
  },
  { name: 'load-shedding', fastify: '5.x' },
)

function overloaded(detail: string): PrecisError {
  return new PrecisError('overloaded', detail, { retryAfter: RETRY_AFTER_SECONDS })
}
