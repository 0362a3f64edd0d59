import type { IncomingHttpHeaders } from 'node:http'
import { PrecisError } from '../engine/errors.ts'
import { PROFILE_NAMES, type ProfileName } from '../engine/options.ts'

/** What a caller asks of the proxy, in headers that go no further. */
export interface Asked {
  readonly bypass: boolean
  /** Most tokens of the conversation with its instructions and tools. */
  readonly targetTokens: number | undefined
  readonly profile: ProfileName | undefined
}

/** A target above it is none: no model takes as much. */
const MAX_TARGET = 1_000_000_000

/**
 * Throws PrecisError('invalid-request') for a value that is none of those allowed: a caller who asks
 * for something must not be left to believe that it was done.
 */
export function readAsked(headers: IncomingHttpHeaders): Asked {
  return {
    bypass: readBypass(single(headers['x-precis-bypass'])),
    targetTokens: readTarget(single(headers['x-precis-target'])),
    profile: readProfile(single(headers['x-precis-profile'])),
  }
}

function readBypass(value: string | undefined): boolean {
  if (value === undefined || value === 'false' || value === '0') return false
  if (value === 'true' || value === '1') return true
  throw invalid('x-precis-bypass', 'must be true or false')
}

function readTarget(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const target = /^\d{1,10}$/.test(value) ? Number(value) : 0
  if (target >= 1 && target <= MAX_TARGET) return target
  throw invalid('x-precis-target', `must be a whole number of tokens from 1 to ${MAX_TARGET}`)
}

function readProfile(value: string | undefined): ProfileName | undefined {
  if (value === undefined) return undefined
  const profile = PROFILE_NAMES.find((name) => name === value)
  if (profile !== undefined) return profile
  throw invalid('x-precis-profile', `must be one of ${PROFILE_NAMES.join(', ')}`)
}

function single(value: string | string[] | undefined): string | undefined {
  const text = (Array.isArray(value) ? value[0] : value)?.trim().toLowerCase()
  return text === '' ? undefined : text
}

function invalid(header: string, detail: string): PrecisError {
  return new PrecisError('invalid-request', `The header ${header} ${detail}.`)
}
