import type { FastifyPluginAsync, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { ProxyConfig } from '../../config/proxy-config.ts'
import { PrecisError } from '../../engine/errors.ts'
import { readAsked } from '../../proxy/asked.ts'
import { readAskedPath } from '../../proxy/asked-path.ts'
import { type ExchangeOptions, exchange } from '../../proxy/exchange.ts'
import type { UpstreamName } from '../../proxy/names.ts'
import { noteHeaders, type ProxyNote } from '../../proxy/note.ts'
import type { Prepare } from '../../proxy/prepared.ts'
import { relay } from '../../proxy/relay.ts'
import { generationOf } from '../../proxy/surface.ts'
import type { Upstream } from '../../proxy/upstream.ts'
import { UpstreamError } from '../../proxy/upstream-error.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { proxiedBody } from '../plugins/proxied-body.ts'
import { proxiedProblems } from '../plugins/proxied-problems.ts'
import { whenClosed } from '../when-closed.ts'
import { PROXIED_CALLS, proxySchema } from './proxy-calls.ts'

export interface ProxyRoutesOptions {
  readonly upstreams: Readonly<Partial<Record<UpstreamName, Upstream>>>
  readonly prepare: Prepare
  readonly metrics: Metrics
  readonly config: ProxyConfig
}

/** Methods of the calls that are passed on without being looked at. */
const METHODS: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Vertex AI has the same API under a project, here and below `/v1`. */
const VERTEX_BETA = '/v1beta1/*'
const VERTEX_CALL = /^projects\//

/** A connection that nothing moves on for so long, beyond what the timeouts of the upstream allow, is dead. */
const QUIET_MARGIN_MS = 30_000

/** The providers' own APIs, for those that have an upstream; each call goes there and its answer back. */
export const proxyRoutes: FastifyPluginAsync<ProxyRoutesOptions> = async (app, options) => {
  const { upstreams, prepare, metrics, config } = options
  const { openai, anthropic, gemini } = upstreams
  const { headersTimeoutMs, idleTimeoutMs, compactionDeadlineMs } = config
  const quietMs =
    Math.max(headersTimeoutMs, idleTimeoutMs) + 2 * compactionDeadlineMs + QUIET_MARGIN_MS
  await app.register(proxiedBody)
  await app.register(proxiedProblems)

  const handlerFor =
    (choose: (request: FastifyRequest) => Upstream | undefined) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const upstream = choose(request)
      if (upstream === undefined) {
        throw new PrecisError('not-found', 'No upstream is configured for this call.')
      }
      // The server's own limit is for callers who send nothing, not for models that think.
      request.raw.socket.setTimeout(quietMs)
      await passOn(request, reply, { upstream, prepare, metrics })
      return reply
    }

  for (const { url, upstream, ...call } of PROXIED_CALLS) {
    const target = upstreams[upstream]
    if (target === undefined) continue
    app.post(
      url,
      { config: { proxied: true }, schema: proxySchema(call) },
      handlerFor(() => target),
    )
  }
  // Clients of one provider may call more than generates text: models, files, embeddings.
  const openRoute = (url: string, choose: (request: FastifyRequest) => Upstream | undefined) =>
    app.route({
      method: [...METHODS],
      url,
      config: { proxied: true },
      schema: { hide: true },
      handler: handlerFor(choose),
    })
  if (gemini !== undefined) {
    for (const url of ['/v1beta/*', VERTEX_BETA]) openRoute(url, () => gemini)
  }
  if (openai !== undefined || anthropic !== undefined || gemini !== undefined) {
    openRoute('/v1/*', (request) => ownerOf(request, upstreams))
  }
}

/**
 * Whose call it is, where several APIs have paths under `/v1`: told by what each API's callers must
 * bring, and for those of Vertex AI, who bring a bearer token like OpenAI's, by the path. One that is
 * not configured gets nothing, and nobody else gets its key.
 */
function ownerOf(
  { headers, query, params }: FastifyRequest,
  { openai, anthropic, gemini }: ProxyRoutesOptions['upstreams'],
): Upstream | undefined {
  if (VERTEX_CALL.test((params as { readonly '*': string })['*'])) return gemini
  if ('anthropic-version' in headers) return anthropic
  const hasGoogleKey = 'x-goog-api-key' in headers || Object.hasOwn(query as object, 'key')
  return hasGoogleKey ? gemini : openai
}

async function passOn(
  request: FastifyRequest,
  reply: FastifyReply,
  options: ExchangeOptions,
): Promise<void> {
  const { upstream, metrics } = options
  const { raw, log, signal } = request
  const url = readAskedPath(raw.url ?? '/')
  let note: ProxyNote | undefined
  try {
    const exchanged = await exchange(
      {
        method: request.method,
        url,
        headers: raw.rawHeaders,
        encoding: request.headers['content-encoding'],
        body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
        generation: generationOf(request.method, url),
        asked: readAsked(request.headers),
        signal,
        whenOver: (release) => whenClosed(reply, release),
        onFailure: (error) => log.error({ err: error }, 'compaction failed'),
        onNote: (known) => {
          note = known
        },
      },
      options,
    )
    const { answer, start, isRetry } = exchanged
    reply.hijack()
    const result = await relay(answer, reply.raw, {
      ownHeaders: noteHeaders(exchanged.note, request.id, isRetry),
      start,
      signal,
    })
    metrics.proxyRelays.inc({ upstream: upstream.name, result })
    if (result === 'upstream-broke') log.warn({ upstream: upstream.name }, 'the answer broke off')
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    if (error.failure === 'aborted') throw callerLeft()
    log.warn({ err: error, upstream: upstream.name }, 'no answer from the upstream')
    announce(note, request, reply)
    throw toProblem(error)
  } finally {
    if (note !== undefined) record(metrics, upstream.name, note)
  }
}

/** Headers for a problem document, which Fastify sends. */
function announce(note: ProxyNote | undefined, request: FastifyRequest, reply: FastifyReply): void {
  if (note === undefined) return
  const headers = noteHeaders(note, request.id, false)
  for (let index = 0; index + 1 < headers.length; index += 2) {
    void reply.header(headers[index] ?? '', headers[index + 1])
  }
}

function record(metrics: Metrics, upstream: UpstreamName, { outcome, reason }: ProxyNote): void {
  metrics.proxyRequests.inc({ upstream, outcome })
  if (reason !== undefined) metrics.proxyReasons.inc({ upstream, reason })
}

function callerLeft(): PrecisError {
  return new PrecisError('client-closed-request', 'The caller closed the connection.')
}

function toProblem(error: UpstreamError): PrecisError {
  return error.failure === 'timeout'
    ? new PrecisError('upstream-timeout', 'The upstream sent no answer in time.', { cause: error })
    : new PrecisError(
        'upstream-unreachable',
        'The upstream could not be reached, or broke the connection before it answered.',
        { cause: error },
      )
}
