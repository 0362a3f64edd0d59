import type { FastifyPluginCallback } from 'fastify'
import type { TracingConfig } from '../../config.ts'
import { VERSION } from '../../version.ts'

export interface Tracing {
  /** Makes the span of a request the one that its work is done in. */
  readonly plugin: () => FastifyPluginCallback
  /** Sends what has not been sent yet. */
  readonly close: () => Promise<void>
}

/**
 * Registers the process's tracer provider: spans go to an OTLP collector over HTTP, in JSON, in batches.
 * Modules are loaded here, so that a service that does not trace does not load them.
 */
export async function startTracing({ url, sampleRatio }: TracingConfig): Promise<Tracing> {
  const [
    sdk,
    { OTLPTraceExporter },
    { resourceFromAttributes },
    { FastifyOtelInstrumentation },
    { W3CTraceContextPropagator },
  ] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@fastify/otel'),
    import('@opentelemetry/core'),
  ])
  const { contentFree } = await import('./content-free.ts')
  const provider = new sdk.NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'precis', 'service.version': VERSION }),
    // A caller's decision to sample or not is kept.
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [new sdk.BatchSpanProcessor(contentFree(new OTLPTraceExporter({ url })))],
  })
  // Baggage stays: it may hold what is not for the servers behind this one.
  provider.register({ propagator: new W3CTraceContextPropagator() })
  const instrumentation = new FastifyOtelInstrumentation({
    instrumentHooks: false,
    recordExceptions: false,
    ignorePaths: ({ url: path }) => PROBES.has(path),
  })
  instrumentation.setTracerProvider(provider)
  return {
    plugin: () => instrumentation.plugin(),
    close: async () => {
      instrumentation.disable()
      await provider.shutdown()
    },
  }
}

/** Asked for every few seconds, and of no interest. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])
