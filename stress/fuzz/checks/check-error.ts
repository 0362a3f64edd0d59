import { asRecord } from '../../../test/helpers/wire-rules/json.ts'
import type { Answer, Finding, Surface } from '../types.ts'
import { parseBody } from './parse-body.ts'

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''

/** What each contract's callers read of an error, by docs/gateways.md. */
const SHAPES: Readonly<Partial<Record<Surface, (body: unknown) => boolean>>> = {
  headroom: (body) => {
    const { type, message } = asRecord(asRecord(body).error)
    return isText(type) && isText(message)
  },
  portkey: (body) => asRecord(body).verdict === true,
  litellm: (body) => isText(asRecord(body).detail),
  kong: (body) => isText(asRecord(asRecord(body).error).message),
  'kong-rpc': (body) => {
    const { jsonrpc, error } = asRecord(body)
    const { code, message } = asRecord(error)
    return jsonrpc === '2.0' && Number.isInteger(code) && isText(message)
  },
  agentgateway: (body) => isText(asRecord(body).error),
}

/** An answer of 400 and above that is the service's own: in the shape that its callers read. */
export function checkError(surface: Surface, answer: Answer, code?: string): Finding[] {
  const shape = SHAPES[surface]
  const type = String(answer.headers['content-type'] ?? '')
  const body = parseBody(answer.body)
  if (shape !== undefined) {
    if (type.startsWith('application/json') && shape(body)) return []
    return [{ check: 'shape of an error', detail: `${answer.status} ${type}` }]
  }
  return checkProblem(answer, type, body, surface === 'proxied', code)
}

function checkProblem(
  { status, headers }: Answer,
  type: string,
  body: unknown,
  isProxied: boolean,
  code: string | undefined,
): Finding[] {
  const problem = asRecord(body)
  const finding = (detail: string): Finding => ({ check: 'problem document', detail })
  if (!type.startsWith('application/problem+json'))
    return [finding(`${status} is ${type || 'bare'}`)]
  const findings: Finding[] = []
  if (problem.status !== status) findings.push(finding(`says ${problem.status} and is ${status}`))
  for (const member of ['title', 'detail', 'code', 'instance']) {
    if (!isText(problem[member])) findings.push(finding(`has no ${member}`))
  }
  if (problem.type !== `urn:precis:problem:${problem.code}`) findings.push(finding('has no type'))
  if (!Array.isArray(problem.errors)) findings.push(finding('has no errors'))
  if (problem.instance !== headers['x-request-id']) findings.push(finding('has another instance'))
  if (isProxied && !isText(asRecord(problem.error).message)) {
    findings.push(finding('has no error as clients of the provider read it'))
  }
  if (code !== undefined && problem.code !== code) {
    findings.push({ check: 'code of a known mistake', detail: `${problem.code}, not ${code}` })
  }
  return findings
}

/** An answer to bytes that were no request: their status says all (docs/problems.md). */
export function checkRawError({ status, headers, body }: Answer): Finding[] {
  const type = String(headers['content-type'] ?? '')
  const problem = asRecord(parseBody(body))
  // Providers' own answers, and those of contracts, are JSON of another shape.
  if (type.startsWith('application/json') && Object.keys(problem).length > 0) return []
  const isWhole =
    type.startsWith('application/problem+json') &&
    problem.status === status &&
    isText(problem.title) &&
    isText(problem.type)
  if (isWhole) return []
  return [{ check: 'problem document', detail: `${status} ${type || 'bare'}` }]
}
