import type { UpstreamName } from './names.ts'

export interface UpstreamUrl {
  readonly origin: string
  /** The path at the upstream for the path, with its query string, that a caller asked for. */
  readonly pathFor: (asked: string) => string
}

/** First part of the paths of an API, which base URLs end with by custom, or leave to the client. */
const VERSION = /^\/v1(?:beta1?)?(?=[/?]|$)/

/**
 * Joins a base URL and the path that a caller asked for as the API's own clients do. OpenAI's take
 * the version as part of the base (`https://host/v1`, or `https://host/api/paas/v4`), so it takes the
 * place of the caller's; an origin alone gets it. The others' add it, and it is not doubled.
 */
export function createUpstreamUrl(name: UpstreamName, baseUrl: string): UpstreamUrl {
  const { origin, pathname } = new URL(baseUrl)
  const base = pathname.replace(/\/+$/, '')
  const version = /\/v1(?:beta1?)?$/.exec(base)?.[0]
  return {
    origin,
    pathFor: (asked) => {
      if (base === '') return asked
      if (name === 'openai') return base + asked.replace(VERSION, '')
      return version !== undefined && VERSION.exec(asked)?.[0] === version
        ? base + asked.slice(version.length)
        : base + asked
    },
  }
}
