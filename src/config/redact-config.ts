import type { Config } from '../config.ts'

const REDACTED = '[redacted]'

/** The configuration as a start-up log line may show it: no key, no credentials in a URL. */
export function redactConfig(config: Config): Record<string, unknown> {
  return {
    ...config,
    server: {
      ...config.server,
      apiKeys: config.server.apiKeys.map(() => REDACTED),
      // Some set a key here rather than the file that it is in.
      apiKeysFile: config.server.apiKeysFile === undefined ? undefined : REDACTED,
    },
    decide: {
      ...config.decide,
      links: config.decide.links.map((link) => ('url' in link ? redactUpstream(link) : link)),
    },
    summarizer: redactUpstream(config.summarizer),
    tracing:
      config.tracing === undefined
        ? undefined
        : {
            ...config.tracing,
            url: originAndPath(config.tracing.url),
            headers: config.tracing.headers === '' ? '' : REDACTED,
          },
    // The rules of the configuration leave no credentials and no query string in these.
    proxy: config.proxy,
  }
}

function redactUpstream<
  Upstream extends { readonly url: string | undefined; readonly apiKey: string | undefined },
>(upstream: Upstream): Upstream {
  return {
    ...upstream,
    url: upstream.url === undefined ? undefined : originAndPath(upstream.url),
    apiKey: upstream.apiKey === undefined ? undefined : REDACTED,
  }
}

/** User information and query string are where keys hide in URLs. */
function originAndPath(text: string): string {
  const { origin, pathname } = new URL(text)
  return `${origin}${pathname}`
}
