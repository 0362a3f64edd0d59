import rateLimit from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { RateLimitsConfig } from '../../config.ts'
import { PrecisError } from '../../engine/errors.ts'
import { isWork } from '../route-config.ts'

const MINUTE_SECONDS = 60

const NONE = {
  'x-ratelimit-limit': false,
  'x-ratelimit-remaining': false,
  'x-ratelimit-reset': false,
  'retry-after': false,
}

/**
 * Requests and bytes of a minute, for each key, or each address where no key is asked for. Counted in
 * this process: behind a balancer each replica has limits of its own.
 */
export const rateLimits = fastifyPlugin<RateLimitsConfig>(
  async (app, { requestsPerMinute, bytesPerMinute }) => {
    if (requestsPerMinute > 0) {
      await app.register(rateLimit, {
        max: requestsPerMinute,
        timeWindow: MINUTE_SECONDS * 1_000,
        keyGenerator: callerOf,
        // A provider's own headers of these names pass through proxied routes.
        addHeaders: NONE,
        addHeadersOnExceeding: NONE,
        allowList: (request) => !isWork(request),
        errorResponseBuilder: (_request, { ttl }) =>
          limited(`More than ${requestsPerMinute} requests came in a minute.`, ttl),
      })
    }
    if (bytesPerMinute > 0) {
      const limiter = new RateLimiterMemory({ points: bytesPerMinute, duration: MINUTE_SECONDS })
      const spend = async (request: FastifyRequest, bytes: number): Promise<void> => {
        try {
          await limiter.consume(callerOf(request), bytes)
        } catch (refusal) {
          if (!(refusal instanceof RateLimiterRes)) throw refusal
          const detail = `More than ${bytesPerMinute} bytes came in a minute.`
          throw limited(detail, refusal.msBeforeNext)
        }
      }
      app.addHook('onRequest', async (request) => {
        const length = Number(request.headers['content-length'])
        if (isWork(request) && length > 0) await spend(request, length)
      })
      // A body that came without its length has one now.
      app.addHook('preValidation', async (request) => {
        const isCounted = request.headers['content-length'] !== undefined
        if (isWork(request) && !isCounted) await spend(request, request.bodyBytes)
      })
    }
  },
  { name: 'rate-limits', fastify: '5.x', dependencies: ['api-keys', 'json-body'] },
)

function callerOf(request: FastifyRequest): string {
  return request.caller ?? request.ip
}

function limited(detail: string, milliseconds: number): PrecisError {
  return new PrecisError('rate-limited', detail, { retryAfter: milliseconds / 1_000 })
}
