import type { FastifyPluginAsync } from 'fastify'
import { Type } from 'typebox'
import type { Metrics } from '../../telemetry/metrics.ts'
import type { WorkerPool } from '../../workers/worker-pool.ts'

export interface MetricsRouteOptions {
  readonly metrics: Metrics
  readonly workers: WorkerPool | undefined
}

export const metricsRoute: FastifyPluginAsync<MetricsRouteOptions> = async (
  app,
  { metrics, workers },
) => {
  const { registry } = metrics
  app.get(
    '/metrics',
    {
      config: { open: true },
      schema: {
        operationId: 'getMetrics',
        summary: 'Metrics for Prometheus',
        tags: ['operation'],
        security: [],
        response: {
          200: {
            description: 'All series, in the text format of Prometheus.',
            content: { 'text/plain': { schema: Type.String() } },
          },
        },
      },
    },
    async (_request, reply) =>
      reply
        .type(registry.contentType)
        .send(await (workers?.metrics.text(registry) ?? registry.metrics())),
  )
}
