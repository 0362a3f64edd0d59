import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { type FastifyBaseLogger, fastify, LogController } from 'fastify'
import type { AppServices } from './app-services.ts'
import type { Config } from './config.ts'
import { createProxy } from './create-proxy.ts'
import { handleClientError } from './http/client-error.ts'
import { gatewayContracts } from './http/gateways/gateway-contracts.ts'
import { apiKeys } from './http/plugins/api-keys.ts'
import { bareAnswers } from './http/plugins/bare-answers.ts'
import { boundedValidation } from './http/plugins/bounded-validation.ts'
import { deadline } from './http/plugins/deadline.ts'
import { draining } from './http/plugins/draining.ts'
import { jsonBody } from './http/plugins/json-body.ts'
import { loadShedding } from './http/plugins/load-shedding.ts'
import { openapi } from './http/plugins/openapi.ts'
import { problemDetails, sendProblem } from './http/plugins/problem-details.ts'
import { rateLimits } from './http/plugins/rate-limits.ts'
import { recordWhenClosed, requestMetrics } from './http/plugins/request-metrics.ts'
import { turns } from './http/plugins/turns.ts'
import { unknownAddress } from './http/plugins/unknown-address.ts'
import { ProblemSchema } from './http/problem.ts'
import { REQUEST_ID_HEADER, requestId } from './http/request-id.ts'
import { budgetRoute } from './http/routes/budget.ts'
import { checkRoute } from './http/routes/check.ts'
import { compactRoute } from './http/routes/compact.ts'
import { healthRoutes } from './http/routes/health.ts'
import { metricsRoute } from './http/routes/metrics.ts'
import { openapiRoute } from './http/routes/openapi.ts'
import { proxyRoutes } from './http/routes/proxy.ts'
import { summaryCheckRoute } from './http/routes/summary-check.ts'
import { uiRoute } from './http/routes/ui.ts'
import { readUiFiles, type UiFiles } from './http/ui-files.ts'
import type { Tracing } from './telemetry/tracing/start-tracing.ts'

export interface AppOptions {
  readonly config: Config
  readonly services: AppServices
  /** None: nothing is traced. */
  readonly tracing?: Tracing
  /** None: nothing is logged. */
  readonly logger?: FastifyBaseLogger
  /** The inspector. Unset: as it was built, if it was. */
  readonly uiFiles?: UiFiles
}

export type App = Awaited<ReturnType<typeof buildApp>>

/** Idle connections outlive the minute after which common load balancers close theirs. */
const KEEP_ALIVE_MS = 72_000

/** Beyond the deadline, so that it is the deadline's own answer that a caller with a whole request gets. */
const ARRIVAL_MARGIN_MS = 5_000

/** Node.js's own bound for the head of a request. */
const MAX_HEADERS_MS = 60_000

/** How often Node.js looks for what has not arrived in time; 30 s unless told, for which it would be held besides. */
const LATE_LOOK_MS = 5_000

/** Clients behind identity-aware gateways send tens of kilobytes; Node.js takes 16 KiB unless told. */
const MAX_PROXIED_HEADER_BYTES = 128 * 1024

/** The visible list of everything that a request may pass. Does not listen. */
export async function buildApp({ config, services, logger, uiFiles, tracing }: AppOptions) {
  const { limits, server } = config
  const { metrics } = services
  const proxy = createProxy(config, services)
  const arrivalMs = limits.requestDeadlineMs + ARRIVAL_MARGIN_MS
  const app = fastify({
    http: {
      requireHostHeader: false,
      connectionsCheckingInterval: LATE_LOOK_MS,
      // Node.js takes the longer of the two for whole requests and the shorter for heads, whichever was meant.
      headersTimeout: Math.min(MAX_HEADERS_MS, arrivalMs),
      ...(proxy !== undefined && { maxHeaderSize: MAX_PROXIED_HEADER_BYTES }),
    },
    ...(logger === undefined ? { logger: false } : { loggerInstance: logger }),
    // One line per request comes from requestMetrics, which also hears of callers who went away.
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    genReqId: requestId,
    trustProxy: typeof server.trustProxy === 'boolean' ? server.trustProxy : [...server.trustProxy],
    bodyLimit: limits.bodyLimitBytes,
    // These two end what never becomes a request; the deadline of one that does is a plugin's.
    requestTimeout: arrivalMs,
    connectionTimeout: limits.requestDeadlineMs + 30_000,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // `draining` refuses with a problem document instead.
    return503OnClosing: false,
    clientErrorHandler: handleClientError,
    frameworkErrors: (error, request, reply) => {
      recordWhenClosed(metrics, request, reply)
      sendProblem(error, request, reply)
    },
  }).withTypeProvider<TypeBoxTypeProvider>()

  if (tracing !== undefined) await app.register(tracing.plugin())
  app.addSchema(ProblemSchema)
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header(REQUEST_ID_HEADER, request.id)
    done()
  })

  await app.register(openapi)
  await app.register(problemDetails)
  await app.register(jsonBody, {
    offloadFromBytes:
      services.workers === undefined ? Number.POSITIVE_INFINITY : config.workers.minBytes,
  })
  await app.register(boundedValidation)
  // Hooks run in this order: what counts a request sees it before what may refuse it.
  await app.register(requestMetrics, { metrics })
  await app.register(bareAnswers)
  await app.register(unknownAddress)
  await app.register(deadline, { deadlineMs: limits.requestDeadlineMs })
  await app.register(draining, { phase: services.phase })
  await app.register(apiKeys, { keys: services.keys })
  await app.register(rateLimits, config.rateLimits)
  await app.register(loadShedding, { limits, inFlight: services.inFlight })
  await app.register(turns)

  await app.register(healthRoutes, { readiness: services.readiness })
  if (server.admin === undefined) {
    await app.register(metricsRoute, { metrics, workers: services.workers })
  }
  await app.register(openapiRoute)
  const compaction = { conversation: services.conversation, metrics, workers: services.workers }
  await app.register(compactRoute, compaction)
  await app.register(budgetRoute, compaction)
  await app.register(checkRoute, compaction)
  await app.register(summaryCheckRoute, compaction)
  const files = server.ui ? (uiFiles ?? readUiFiles()) : undefined
  if (files !== undefined) {
    await app.register(uiRoute, { files, config, conversation: services.conversation })
  }
  await app.register(gatewayContracts, {
    ...compaction,
    names: server.gatewayContracts,
    readiness: services.readiness,
    deadlineMs: limits.requestDeadlineMs,
  })
  if (proxy !== undefined) await app.register(proxyRoutes, proxy.routes)
  app.addHook('onClose', async () => {
    await proxy?.close()
    services.keys.close()
    await services.workers?.close()
    await services.conversation.close()
  })

  return app
}
