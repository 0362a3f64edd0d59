import type { SummarizerOptions } from './summarizer.ts'

const PATHS: Readonly<Record<SummarizerOptions['dialect'], { version: string; path: string }>> = {
  openai: { version: '/v1', path: '/chat/completions' },
  anthropic: { version: '/v1', path: '/messages' },
}

/**
 * The endpoint behind a configured URL. A URL that already names the endpoint is used as it is; one
 * that ends in a version (`/v1`, `/v1beta/openai`, ...) or any other path gets the endpoint's path;
 * a bare host gets the version too. Throws TypeError for what is no URL.
 */
export function summarizerEndpoint(dialect: SummarizerOptions['dialect'], url: string): string {
  const { version, path } = PATHS[dialect]
  const endpoint = new URL(url)
  const base = endpoint.pathname.replace(/\/+$/, '')
  if (!base.endsWith(path)) endpoint.pathname = `${base === '' ? version : base}${path}`
  return endpoint.href
}
