import type { DecideFailure } from '../../../src/engine/ports.ts'
import { type Fault, isSilent } from './fault.ts'

/**
 * The waits of a decider that is tested with a fault: soon over where no answer comes, and on no machine
 * before one that does. The deadline leaves it to them.
 */
export const waitsFor = (fault: Fault) => ({
  timeoutMs: isSilent(fault) ? 250 : 20_000,
  deadlineMs: 60_000,
})

/** What a server does, in words that follow "a server that", and what a call then says of it. */
export const FAULT_CASES: readonly (readonly [what: string, fault: Fault, DecideFailure])[] = [
  ['hangs', 'hang', 'timeout'],
  ['drips', 'drip', 'timeout'],
  ['resets the connection', 'reset', 'network'],
  ['cuts its answer off', 'cut-off', 'network'],
  ['answers garbage', 'garbage', 'malformed-answer'],
  ['answers a web page', 'web-page', 'malformed-answer'],
  ['answers nothing', 'empty', 'malformed-answer'],
  ['answers half of its JSON', 'truncated-json', 'malformed-answer'],
  ['answers without end', 'huge', 'malformed-answer'],
  ['answers without answers', 'no-answers', 'malformed-answer'],
  ['writes NaN, which is not JSON', 'nan', 'malformed-answer'],
  ['answers 400', { status: 400 }, 'invalid-request'],
  ['answers 401', { status: 401 }, 'authentication'],
  ['answers 403', { status: 403 }, 'authentication'],
  ['answers 404', { status: 404 }, 'invalid-request'],
  ['answers 413', { status: 413 }, 'max-tokens-exceeded'],
  ['answers 422', { status: 422 }, 'invalid-request'],
  ['answers 500', { status: 500 }, 'server'],
  ['answers 529', { status: 529 }, 'overloaded'],
  ['has another token limit', 'max-tokens', 'max-tokens-exceeded'],
]
