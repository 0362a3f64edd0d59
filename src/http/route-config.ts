declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * A route of the operator: needs no key, is never shed, and answers while the service shuts down.
     */
    open?: boolean
    /** Name of a header, in lower case, in which the key may come beside `authorization`. */
    keyHeader?: string
    /**
     * A route that passes on what it is sent, and the answer as long as it takes: it has no deadline of
     * its own, and takes its key in a header of its own, since `authorization` is the upstream's.
     */
    proxied?: boolean
    /** A route whose large bodies another thread parses, works on and answers (`workers/`). */
    offloaded?: boolean
  }
}

interface RoutedRequest {
  readonly is404: boolean
  readonly routeOptions: {
    readonly url?: string | undefined
    readonly config: { readonly open?: boolean }
  }
}

/** Whether a request does the work that keys, limits and the shutdown are about. */
export function isWork(request: RoutedRequest): boolean {
  return !request.is404 && request.routeOptions.config.open !== true
}

interface ProxiedRequest {
  readonly routeOptions: { readonly config: { readonly proxied?: boolean } }
}

export function isProxied(request: ProxiedRequest): boolean {
  return request.routeOptions.config.proxied === true
}

interface OffloadedRequest {
  readonly routeOptions: { readonly config: { readonly offloaded?: boolean } }
}

export function isOffloaded(request: OffloadedRequest): boolean {
  return request.routeOptions.config.offloaded === true
}

/** The path pattern of the route: a bounded set, unlike what callers put into URLs. */
export function routeLabel(request: RoutedRequest): string {
  return request.routeOptions.url ?? 'unmatched'
}
