import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node'

/**
 * An exporter that sends spans without what errors say: a message may quote what it is about. Of a URL
 * there is the route, as in the log: its query and its path are a caller's, and may hold a key.
 */
export function contentFree(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(withoutContent), done),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}

const PATH = 'url.path'
const ROUTE = 'http.route'

function withoutContent(span: ReadableSpan): ReadableSpan {
  const { [PATH]: path, ...others } = span.attributes
  const route = others[ROUTE] ?? 'unmatched'
  return Object.create(span, {
    status: { value: { code: span.status.code }, enumerable: true },
    events: { value: [], enumerable: true },
    ...(path !== undefined && {
      attributes: { value: { ...others, [PATH]: route }, enumerable: true },
    }),
  })
}
