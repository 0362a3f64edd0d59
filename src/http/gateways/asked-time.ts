import type { FastifyReply, FastifyRequest } from 'fastify'
import { PrecisError } from '../../engine/errors.ts'

const MIN_MS = 50
const MAX_MS = 3_600_000

/** Part of the request's deadline that an answer is given before: past it the deadline's own error comes. */
const SHARE_OF_DEADLINE = 0.95

/**
 * Milliseconds from the arrival of a request to its answer: what the caller asks for in the query as
 * `timeout_ms` or the header `x-precis-timeout-ms`, else the contract's own limit, and never past the
 * deadline of the service. Throws PrecisError('invalid-request') for a value that is no such number.
 */
export function askedTime(
  { query, headers }: Pick<FastifyRequest, 'query' | 'headers'>,
  deadlineMs: number,
  limitMs = Number.POSITIVE_INFINITY,
): number {
  const asked = (query as Readonly<Record<string, unknown>>).timeout_ms
  const value = asked ?? headers['x-precis-timeout-ms']
  const most = Math.floor(deadlineMs * SHARE_OF_DEADLINE)
  if (value === undefined) return Math.min(limitMs, most)
  const time = typeof value === 'string' && /^\d{1,7}$/.test(value) ? Number(value) : 0
  if (time >= MIN_MS && time <= MAX_MS) return Math.min(time, most)
  throw new PrecisError(
    'invalid-request',
    `timeout_ms must be a whole number of milliseconds from ${MIN_MS} to ${MAX_MS}.`,
  )
}

/** What is left of that time. */
export function timeLeft(
  request: FastifyRequest,
  reply: FastifyReply,
  deadlineMs: number,
  limitMs?: number,
): number {
  return Math.max(1, askedTime(request, deadlineMs, limitMs) - reply.elapsedTime)
}
