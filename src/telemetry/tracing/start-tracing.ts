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
 * Modules are loaded here, so that a service that does not trace does not load them. `onFault` is told, in
 * words without a secret, when spans cannot be sent.
 */
export async function startTracing(
  { url, sampleRatio, headers }: TracingConfig,
  onFault: (detail: string) => void = () => undefined,
): Promise<Tracing> {
  const [
    sdk,
    { OTLPTraceExporter },
    { detectResources, envDetector, resourceFromAttributes },
    { FastifyOtelInstrumentation },
    { parseKeyPairsIntoRecord, W3CTraceContextPropagator },
  ] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@fastify/otel'),
    import('@opentelemetry/core'),
  ])
  const [{ contentFree }, { tellOfFaults }] = await Promise.all([
    import('./content-free.ts'),
    import('./tell-of-faults.ts'),
  ])
  const exporter = new OTLPTraceExporter({ url, headers: parseKeyPairsIntoRecord(headers) })
  const own = { 'service.name': 'precis', 'service.version': VERSION }
  const provider = new sdk.NodeTracerProvider({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES tell one deployment from another.
    resource: resourceFromAttributes(own).merge(detectResources({ detectors: [envDetector] })),
    // A caller's decision to sample or not is kept.
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [new sdk.BatchSpanProcessor(contentFree(tellOfFaults(exporter, onFault)))],
  })
  // Baggage stays: it may hold what is not for the servers behind this one.
  provider.register({ propagator: new W3CTraceContextPropagator() })
  const instrumentation = new FastifyOtelInstrumentation({
    instrumentHooks: false,
    recordExceptions: false,
    ignorePaths: ({ url: path }) => PROBES.has(path),
    // By the semantic conventions of HTTP; where there is no route, nothing of the path.
    requestHook: (span, { method, routeOptions: { url } }) => {
      span.updateName(url === undefined ? method : `${method} ${url}`)
    },
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
