import { ExportResultCode } from '@opentelemetry/core'
import type { SpanExporter } from '@opentelemetry/sdk-trace-node'

/**
 * An exporter that tells when spans cannot be sent, which OpenTelemetry keeps to itself: once, and again
 * when it is for another reason or some were sent in between. A collector's own words are not passed on.
 */
export function tellOfFaults(
  exporter: SpanExporter,
  onFault: (detail: string) => void,
): SpanExporter {
  let told: string | undefined
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const detail =
          result.code === ExportResultCode.SUCCESS ? undefined : describeFault(result.error)
        if (detail !== undefined && detail !== told) onFault(detail)
        told = detail
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}

/** Codes are the system's, or statuses; the message may be a page that the collector has sent. */
function describeFault(error: Error | undefined): string {
  const code = error !== undefined && 'code' in error ? error.code : undefined
  if (typeof code === 'number') return `the collector answers ${code}`
  if (typeof code === 'string') return `the collector cannot be reached (${code})`
  return 'the collector takes none for now, or does not answer'
}
