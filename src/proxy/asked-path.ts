import { PrecisError } from '../engine/errors.ts'

/** A request may name the server that it is meant for (RFC 9112, section 3.2.2); ours is configured. */
const AUTHORITY = /^https?:\/\/[^/?]*/i

const PARENT = /(?:^|[\\/])(?:\.|%2e){2}(?:[\\/]|$)/i

/**
 * Path and query string of a request, as it came but for a server's name before them. Throws
 * PrecisError('invalid-request') for a path that climbs: it could leave the base of the upstream.
 */
export function readAskedPath(target: string): string {
  const path = target.replace(AUTHORITY, '')
  const withSlash = path.startsWith('/') ? path : `/${path}`
  if (PARENT.test(withSlash.split('?', 1)[0] ?? '')) {
    throw new PrecisError('invalid-request', 'The path must not have parts that lead upwards.')
  }
  return withSlash
}
