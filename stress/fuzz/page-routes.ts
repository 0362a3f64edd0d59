import type { SeededRandom } from '../../test/helpers/seeded-random.ts'
import type { Draft } from './types.ts'

const PAGES = [
  '/healthz',
  '/readyz',
  '/health',
  '/status',
  '/openapi.json',
  '/ui',
  '/ui/',
  '/ui/inspector.js',
  '/ui/inspector.css',
  '/ui/settings.json',
  '/ui/example.json',
] as const

/** Dear, as every series is written: rarely. */
const METRICS_SHARE = 0.03

export function pageDraft(random: SeededRandom): Draft {
  const path = random.chance(METRICS_SHARE) ? '/metrics' : random.pick(PAGES)
  const method = random.pick(['GET', 'GET', 'HEAD'])
  return {
    surface: 'page',
    method,
    path: random.chance(0.1) ? `${path}?probe=1&a=%F0%9F%98%80` : path,
    headers: random.chance(0.1) ? { 'if-none-match': '"something"' } : {},
    body: undefined,
    statuses: path === '/ui/' ? [308] : [200],
  }
}

const ADDRESSES = [
  '/nothing',
  '/compact/',
  '/Compact',
  '/compact/more',
  '/ui/../compact',
  '/ui/other.js',
  '/%63ompact/x',
  '/v2/chat/completions',
  '//compact',
  '/favicon.ico',
  '/.env',
  '/__proto__',
  '/constructor',
  `/${'a'.repeat(2_000)}`,
] as const

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'] as const

/** Paths that do not exist, and methods that existing ones do not take. */
export function unknownDraft(random: SeededRandom): Draft {
  const isPath = random.chance(0.5)
  const path = isPath
    ? random.pick(ADDRESSES)
    : random.pick(['/compact', '/check', '/budget', '/summary-check', '/request', '/healthz', '/'])
  const method = isPath ? random.pick(METHODS) : random.pick(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])
  const hasBody = random.chance(0.3) && method !== 'GET' && method !== 'HEAD'
  return {
    surface: 'unknown',
    method,
    path,
    headers: hasBody ? { 'content-type': 'application/json' } : {},
    body: hasBody ? { messages: [] } : undefined,
    statuses: [404, 405],
  }
}
