import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node'

/**
 * An exporter that sends spans without what errors say: a message may quote what it is about. The path
 * of a URL goes without its query, in which some clients send their key.
 */
export function contentFree(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(withoutContent), done),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}

const PATH = 'url.path'

function withoutContent(span: ReadableSpan): ReadableSpan {
  const path = span.attributes[PATH]
  return Object.create(span, {
    status: { value: { code: span.status.code }, enumerable: true },
    events: { value: [], enumerable: true },
    ...(typeof path === 'string' && {
      attributes: {
        value: { ...span.attributes, [PATH]: path.split('?', 1)[0] ?? '' },
        enumerable: true,
      },
    }),
  })
}
