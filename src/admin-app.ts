import { type FastifyBaseLogger, fastify, LogController } from 'fastify'
import type { AppServices } from './app-services.ts'
import { handleClientError } from './http/client-error.ts'
import { problemDetails } from './http/plugins/problem-details.ts'
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
    clientErrorHandler: handleClientError,
    bodyLimit: 1,
  })
  await app.register(problemDetails)
  await app.register(healthRoutes, { readiness: services.readiness })
  await app.register(metricsRoute, services)
  return app
}
