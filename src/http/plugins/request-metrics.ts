import type { FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { METHOD_LABELS, STATUS_CLASS_LABELS, toLabel } from '../../telemetry/labels.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { isWork, routeLabel } from '../route-config.ts'
import { whenClosed } from '../when-closed.ts'

export interface RequestMetricsOptions {
  readonly metrics: Metrics
}

/** What the status would have been had the caller waited for it. */
const CLIENT_CLOSED_REQUEST = 499

export const requestMetrics = fastifyPlugin<RequestMetricsOptions>(
  async (app, { metrics }) => {
    app.addHook('onRequest', (request, reply, done) => {
      recordWhenClosed(metrics, request, reply)
      done()
    })
  },
  { name: 'request-metrics', fastify: '5.x' },
)

/** Counts and logs a request once, whatever becomes of it; Fastify's `onResponse` misses callers who leave. */
export function recordWhenClosed(
  metrics: Metrics,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const startedAt = performance.now()
  whenClosed(reply, (answered) => {
    record(metrics, request, reply, answered, (performance.now() - startedAt) / 1000)
  })
}

function record(
  metrics: Metrics,
  request: FastifyRequest,
  reply: FastifyReply,
  answered: boolean,
  seconds: number,
): void {
  const status = answered ? reply.statusCode : CLIENT_CLOSED_REQUEST
  const problem = answered ? reply.problemCode : 'client-closed-request'
  if (problem !== undefined) metrics.httpProblems.inc({ code: problem })
  const route = routeLabel(request)
  const method = toLabel(METHOD_LABELS, request.method, 'other')
  metrics.httpRequests.inc({
    method,
    route,
    status: toLabel(STATUS_CLASS_LABELS, `${Math.floor(status / 100)}xx`, '5xx'),
  })
  metrics.httpRequestDuration.observe({ method, route }, seconds)
  if (request.bodyBytes > 0) metrics.httpRequestSize.observe({ route }, request.bodyBytes)
  const line = {
    req: request,
    status,
    ...(problem === undefined ? {} : { problem }),
    durationMs: Math.round(seconds * 1e5) / 100,
    requestBytes: request.bodyBytes,
  }
  // Probes and scrapes come every few seconds and say nothing.
  if (isWork(request) || status >= 400) request.log.info(line, 'request completed')
  else request.log.debug(line, 'request completed')
}
