import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly kind: number
  readonly attributes: Readonly<Record<string, unknown>>
}

export interface TraceCollectorOptions {
  /** What it answers. Default: 200. */
  readonly status?: number
  /** Words of its answer. */
  readonly words?: string
}

export interface TraceCollector {
  /** Where OTLP over HTTP is sent to. */
  readonly url: string
  /** All that has come, in the order in which it came. */
  readonly spans: () => readonly ReceivedSpan[]
  /** Every byte that has come. */
  readonly text: () => string
  /** Headers of the requests, in the order in which they came. */
  readonly headers: () => readonly IncomingHttpHeaders[]
  /** What the spans are said to be of, of all that have come. */
  readonly resources: () => readonly Readonly<Record<string, unknown>>[]
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
    readonly resource?: { readonly attributes?: OtlpSpan['attributes'] }
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[]
  }[]
}

/** Takes OTLP/HTTP in JSON as the protocol says (opentelemetry-proto, `ExportTraceServiceRequest`). */
export async function startTraceCollector({
  status = 200,
  words = '{}',
}: TraceCollectorOptions = {}): Promise<TraceCollector> {
  const bodies: string[] = []
  const headers: IncomingHttpHeaders[] = []
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const isExport = request.method === 'POST' && request.url === '/v1/traces'
    headers.push(request.headers)
    if (isExport) bodies.push(Buffer.concat(chunks).toString())
    response.writeHead(isExport ? status : 404, { 'content-type': 'application/json' }).end(words)
  }
  const server = createServer((request, response) => {
    // A service that is killed leaves in the middle of what it says.
    take(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1/traces`,
    spans: () => bodies.flatMap((body) => spansOf(JSON.parse(body) as OtlpRequest)),
    text: () => bodies.join('\n'),
    headers: () => headers,
    resources: () =>
      bodies.flatMap((body) =>
        (JSON.parse(body) as OtlpRequest).resourceSpans.map(({ resource }) =>
          toRecord(resource?.attributes),
        ),
      ),
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
        attributes: toRecord(attributes),
      })),
    ),
  )
}

function toRecord(attributes: OtlpSpan['attributes'] = []): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
