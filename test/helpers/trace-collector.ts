import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly kind: number
  readonly attributes: Readonly<Record<string, unknown>>
}

export interface TraceCollector {
  /** Where OTLP over HTTP is sent to. */
  readonly url: string
  /** All that has come, in the order in which it came. */
  readonly spans: () => readonly ReceivedSpan[]
  /** Every byte that has come. */
  readonly text: () => string
  readonly close: () => Promise<void>
}

interface OtlpSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly kind: number
  readonly attributes?: readonly { readonly key: string; readonly value: object }[]
}

interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[]
  }[]
}

/** Takes OTLP/HTTP in JSON as the protocol says (opentelemetry-proto, `ExportTraceServiceRequest`). */
export async function startTraceCollector(): Promise<TraceCollector> {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const isExport = request.method === 'POST' && request.url === '/v1/traces'
    if (isExport) bodies.push(Buffer.concat(chunks).toString())
    response.writeHead(isExport ? 200 : 404, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1/traces`,
    spans: () => bodies.flatMap((body) => spansOf(JSON.parse(body) as OtlpRequest)),
    text: () => bodies.join('\n'),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function spansOf({ resourceSpans }: OtlpRequest): ReceivedSpan[] {
  return resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, traceId, spanId, parentSpanId, kind, attributes = [] }) => ({
        name,
        traceId,
        spanId,
        parentSpanId: parentSpanId === '' ? undefined : parentSpanId,
        kind,
        attributes: Object.fromEntries(
          attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
        ),
      })),
    ),
  )
}
