/**
 * What Portkey's webhook plugin makes of an answer (`plugins/default/webhook.ts`): a status that is not
 * 2xx is an error and the verdict false, which passes unless the guardrail is set to fail on errors.
 */
interface Answer {
  readonly statusCode: number
  readonly body: string
}

export interface WebhookOutcome {
  readonly verdict: boolean
  readonly isError: boolean
  /** The request that goes on: the transformed one, or the one that came. */
  readonly json: unknown
}

export function applyWebhookAnswer({ statusCode, body }: Answer, json: unknown): WebhookOutcome {
  if (statusCode < 200 || statusCode > 299) return { verdict: false, isError: true, json }
  const answer = JSON.parse(body) as {
    verdict: boolean
    transformedData?: { request?: { json?: unknown } }
  }
  const transformed = answer.transformedData?.request?.json
  return { verdict: answer.verdict, isError: false, json: transformed || json }
}
