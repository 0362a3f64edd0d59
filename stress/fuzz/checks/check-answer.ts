import { asRecord } from '../../../test/helpers/wire-rules/json.ts'
import type { RawOutcome } from '../send-raw.ts'
import { BODY_LIMIT_BYTES } from '../start-target.ts'
import type { Answer, Finding, RawScript, SentRequest } from '../types.ts'
import { checkCompaction } from './check-compaction.ts'
import { checkError, checkRawError } from './check-error.ts'
import { checkGateway } from './check-gateway.ts'
import type { IsDocumented } from './documented-statuses.ts'
import { parseBody } from './parse-body.ts'

/** Reasons that hide a fault of the service behind an answer that looks well. */
const BUGS: ReadonlySet<unknown> = new Set(['internal', 'failed', 'withheld'])

/** Of the statuses of a server, those that are for it to say of what is not its own fault. */
const PROXIED_FAILURES: ReadonlySet<number> = new Set([502, 503, 504])

const UNKNOWN_ADDRESS: ReadonlySet<number> = new Set([400, 404, 405])

/** Everything that is wrong with an answer to a request that a client could send. */
export function checkAnswer(
  request: SentRequest,
  answer: Answer,
  isDocumented: IsDocumented,
): Finding[] {
  const { surface, method, path, family, statuses } = request
  const { status, headers } = answer
  const findings: Finding[] = []
  const add = (check: string, detail: string) => findings.push({ check, detail })
  if (!isAllowed(request, status, isDocumented)) add('status', `${status} of ${method} ${surface}`)
  if (status === 503 && !(Number(headers['retry-after']) > 0)) add('retry-after', `${path} is 503`)
  const isTooLong = status === 413 && (request.body?.length ?? 0) > BODY_LIMIT_BYTES
  if (family === 'valid' && statuses?.includes(status) === false && !isTooLong) {
    add('status of a valid request', `${status} of ${method} ${surface}`)
  }
  const reason = headers['x-precis-reason']
  if (BUGS.has(reason)) add('a fault behind an answer', String(reason))
  if (surface === 'proxied') return [...findings, ...checkProxied(answer)]
  if (headers['x-request-id'] === undefined) add('x-request-id', `${method} ${surface} has none`)
  if (method === 'HEAD') return findings
  if (status >= 400) return [...findings, ...checkError(surface, answer, request.code)]
  if (request.code !== undefined) add('code of a known mistake', `${status}, not ${request.code}`)
  if (surface === 'own') findings.push(...checkOwn(request, answer))
  return [...findings, ...checkGateway(request, answer)]
}

function isAllowed(
  { surface, method, path }: SentRequest,
  status: number,
  isDocumented: IsDocumented,
): boolean {
  if (status === 500) return false
  if (surface === 'proxied') return status < 500 || PROXIED_FAILURES.has(status)
  const documented = isDocumented(method, path, status)
  if (surface === 'unknown' || documented === undefined) {
    return surface === 'page' ? status < 400 : UNKNOWN_ADDRESS.has(status)
  }
  return documented
}

function checkOwn({ path, body }: SentRequest, answer: Answer): Finding[] {
  const parsed = asRecord(parseBody(answer.body))
  if (Object.keys(parsed).length === 0) return [{ check: 'answer', detail: `${path} is no JSON` }]
  if (!path.startsWith('/compact') || body === undefined) return []
  return checkCompaction(asRecord(parseBody(body)), parsed)
}

/** The provider's answer as it came, or the service's own, which clients of the provider can read. */
function checkProxied(answer: Answer): Finding[] {
  const type = String(answer.headers['content-type'] ?? '')
  if (type.startsWith('application/problem+json')) return checkError('proxied', answer)
  const isMarked = answer.headers['x-precis-outcome'] !== undefined
  return isMarked ? [] : [{ check: 'x-precis-outcome', detail: `${answer.status} without it` }]
}

/** Everything that is wrong with what came of bytes that no client would send. */
export function checkRawOutcome(
  { answers: [least, most], statuses }: RawScript,
  { answers, rest, fault, end }: RawOutcome,
): Finding[] {
  const findings: Finding[] = []
  const add = (check: string, detail: string) => findings.push({ check, detail })
  if (end === 'hang') add('hang', 'the connection was not closed')
  if (fault !== undefined) add('no HTTP', fault)
  if (rest.length > 0 && end === 'closed') add('no HTTP', 'an answer that is cut off')
  if (answers.length > most) add('too many answers', `${answers.length}, not ${most}`)
  // What a reset has taken with it was sent; the other side could not have known.
  if (answers.length < least && end !== 'reset')
    add('too few answers', `${answers.length} of ${least}`)
  for (const answer of answers) {
    const { status, headers } = answer
    if (status >= 500 && status !== 503 && status !== 502) add('status', String(status))
    if (status === 503 && !(Number(headers['retry-after']) > 0)) add('retry-after', 'a bare 503')
    if (statuses?.includes(status) === false)
      add('status', `${status}, not ${statuses.join(' or ')}`)
    if (status >= 400) findings.push(...checkRawError(answer))
  }
  return findings
}
