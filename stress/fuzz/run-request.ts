import type { Dispatcher } from 'undici'
import { checkAnswer, checkRawOutcome } from './checks/check-answer.ts'
import type { IsDocumented } from './checks/documented-statuses.ts'
import { sendRaw } from './send-raw.ts'
import { type Outcome, sendRequest } from './send-request.ts'
import { BODY_LIMIT_BYTES } from './start-target.ts'
import type { Answer, Finding, FuzzRequest, SentRequest } from './types.ts'

export interface RequestRunner {
  readonly run: (request: FuzzRequest) => Promise<RequestResult>
}

export interface RequestResult {
  readonly answers: readonly Answer[]
  readonly findings: readonly Finding[]
}

export interface RequestRunnerOptions {
  readonly url: string
  /** The upstream of the service, for what it says when it is asked without the service. */
  readonly upstreamUrl: string
  readonly dispatcher: Dispatcher
  readonly isDocumented: IsDocumented
  /** Past it a request hangs. */
  readonly limitMs: number
}

/** One in so many compactions is posted once more, for the size that it is said to have. */
const RECOUNT_EVERY = 16

export function createRequestRunner(options: RequestRunnerOptions): RequestRunner {
  const { url, limitMs } = options
  const target = new URL(url)
  return {
    run: async (request) => {
      if ('steps' in request) {
        const outcome = await sendRaw(target, request, limitMs)
        return { answers: outcome.answers, findings: checkRawOutcome(request, outcome) }
      }
      return runSent(request, options)
    },
  }
}

async function runSent(
  request: SentRequest,
  options: RequestRunnerOptions,
): Promise<RequestResult> {
  const { dispatcher, url, isDocumented } = options
  const outcome = await sendRequest(dispatcher, url, request)
  if ('failure' in outcome) {
    // A body that is too long may be refused before it is read, and the connection closed.
    const isRefused = outcome.failure === 'broken' && (request.body?.length ?? 0) > BODY_LIMIT_BYTES
    const detail = `${request.method} ${request.surface}`
    return { answers: [], findings: isRefused ? [] : [{ check: outcome.failure, detail }] }
  }
  const { answer } = outcome
  const findings = [
    ...checkAnswer(request, answer, isDocumented),
    ...(await checkRefusal(request, answer, options)),
    ...(await recount(request, answer, options)),
  ]
  return { answers: [answer], findings }
}

/**
 * A provider refuses what it refuses with or without the service before it, and nothing else. Of several
 * faults it may name another, since a compaction may take the first away.
 */
async function checkRefusal(
  request: SentRequest,
  { status }: Answer,
  { dispatcher, upstreamUrl }: RequestRunnerOptions,
): Promise<Finding[]> {
  if (request.surface !== 'proxied' || request.family !== 'valid' || status < 400) return []
  const direct = await sendRequest(dispatcher, upstreamUrl, request)
  if ('failure' in direct || direct.answer.status >= 400 || status === 503) return []
  const detail = `${status} of ${request.path}, and ${direct.answer.status} without the service`
  return [{ check: 'refused because of the service', detail }]
}

/** The counts are honest: what came back, posted as it is, has the size that it was said to have. */
async function recount(
  request: SentRequest,
  answer: Answer,
  { dispatcher, url }: RequestRunnerOptions,
): Promise<Finding[]> {
  const { surface, path, family, body, seed } = request
  if (surface !== 'own' || path !== '/compact' || family !== 'valid' || answer.status !== 200)
    return []
  if (body === undefined || seed % RECOUNT_EVERY !== 0) return []
  const posted = JSON.parse(body.toString())
  const { format, tokensAfter, outcome, messages, input, contents } = JSON.parse(
    String(answer.body),
  )
  if (posted.dryRun === true || outcome === 'unchanged') return []
  const { options: _options, pins: _pins, files: _files, ...rest } = posted
  const again = { ...rest, format, messages, input, contents, targetTokens: 1_000_000_000 }
  const outcomeOfAgain: Outcome = await sendRequest(dispatcher, url, {
    ...request,
    body: Buffer.from(JSON.stringify(again)),
  })
  if ('failure' in outcomeOfAgain || outcomeOfAgain.answer.status === 503) return []
  const counted = JSON.parse(String(outcomeOfAgain.answer.body)).tokensBefore
  if (counted === tokensAfter) return []
  return [{ check: 'recount', detail: `${counted}, and was said to be ${tokensAfter}` }]
}
