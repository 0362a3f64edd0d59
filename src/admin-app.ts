import { type FastifyBaseLogger, fastify, LogController } from 'fastify'
import type { AppServices } from './app-services.ts'
import { handleClientError } from './http/client-error.ts'
import { bareAnswers } from './http/plugins/bare-answers.ts'
import { problemDetails, sendProblem } from './http/plugins/problem-details.ts'
import { unknownAddress } from './http/plugins/unknown-address.ts'
import { healthRoutes } from './http/routes/health.ts'
import { metricsRoute } from './http/routes/metrics.ts'

export interface AdminAppOptions {
  readonly services: Pick<AppServices, 'metrics' | 'workers' | 'readiness'>
  readonly logger?: FastifyBaseLogger
}

/** What operators ask for, on a listener of its own that callers need not reach. Does not listen. */
export async function buildAdminApp({ services, logger }: AdminAppOptions) {
  const app = fastify({
    ...(logger === undefined ? { logger: false } : { loggerInstance: logger }),
    logController: new LogController({ disableRequestLogging: true }),
    http: { requireHostHeader: false },
    clientErrorHandler: handleClientError,
    // Fastify's own answers to what it cannot find or read repeat the URL, where a key may be.
    frameworkErrors: sendProblem,
    bodyLimit: 1,
  })
  await app.register(problemDetails)
  await app.register(bareAnswers)
  await app.register(unknownAddress)
  await app.register(healthRoutes, { readiness: services.readiness })
  await app.register(metricsRoute, services)
  return app
}
