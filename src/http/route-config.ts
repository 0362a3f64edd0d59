declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * A route of the operator: needs no key, is never shed, and answers while the service shuts down.
     */
    open?: boolean
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

/** The path pattern of the route: a bounded set, unlike what callers put into URLs. */
export function routeLabel(request: RoutedRequest): string {
  return request.routeOptions.url ?? 'unmatched'
}
