import { asArray, asRecord, type JsonRecord } from '../../../test/helpers/wire-rules/json.ts'
import type { Answer, Finding, SentRequest } from '../types.ts'
import { checkOutput } from './check-compaction.ts'
import { isCount, parseBody, parseRecord } from './parse-body.ts'

/** A 200 of a gateway's contract: what it gives back can be sent to the provider in place of what came. */
export function checkGateway(request: SentRequest, { body }: Answer): Finding[] {
  const posted = asRecord(request.body && parseBody(request.body))
  const answer = parseRecord(body)
  switch (request.surface) {
    case 'headroom':
      return checkHeadroom(request, posted, answer)
    case 'portkey':
      return checkPortkey(request, posted, answer)
    case 'litellm':
      return checkLitellm(posted, answer)
    case 'kong':
      return checkTexts(posted, answer)
    case 'agentgateway':
      return checkAgentgateway(request, posted, answer)
    default:
      return []
  }
}

const shape = (detail: string): Finding[] => [{ check: 'shape of an answer', detail }]

/** Only what was valid as it came is known to be in the format. */
function checkMessages(
  { format, family }: SentRequest,
  before: unknown,
  after: unknown,
): Finding[] {
  if (format === undefined || family !== 'valid') return []
  return checkOutput(format, { messages: before }, { messages: after })
}

function checkHeadroom(request: SentRequest, posted: JsonRecord, answer: JsonRecord): Finding[] {
  const { messages, tokens_before: before, tokens_after: after } = answer
  if (!Array.isArray(messages) || !isCount(before) || !isCount(after)) return shape('headroom')
  const frozen = Number(asRecord(posted.config).frozen_message_count ?? 0)
  const isFrozen =
    JSON.stringify(asArray(posted.messages).slice(0, frozen)) ===
    JSON.stringify(messages.slice(0, frozen))
  return [
    ...checkMessages(request, posted.messages, messages),
    ...(after > before ? [{ check: 'grows', detail: `${before} to ${after}` }] : []),
    ...(isFrozen ? [] : [{ check: 'frozen messages', detail: `${frozen} were to stay` }]),
  ]
}

function checkPortkey(request: SentRequest, posted: JsonRecord, answer: JsonRecord): Finding[] {
  if (answer.verdict !== true) return shape('portkey')
  if (answer.transformedData === undefined) return []
  const before = asRecord(asRecord(posted.request).json)
  const after = asRecord(asRecord(asRecord(answer.transformedData).request).json)
  if (Object.keys(after).length !== Object.keys(before).length) return shape('portkey members')
  if (request.format === undefined || request.family !== 'valid') return []
  return checkOutput(request.format, before, after)
}

function checkLitellm(posted: JsonRecord, { action, texts }: JsonRecord): Finding[] {
  if (action === 'NONE') return []
  const before = asArray(posted.texts)
  const after = asArray(texts)
  const isWhole = action === 'GUARDRAIL_INTERVENED' && after.length === before.length
  return isWhole && after.every((text) => typeof text === 'string') ? [] : shape('litellm')
}

function checkTexts(posted: JsonRecord, answer: JsonRecord): Finding[] {
  const before = typeof posted.text === 'string' ? [{ text: posted.text }] : asArray(posted.text)
  const after = asArray(answer.text).map(asRecord)
  if (after.length !== before.length) return shape('kong')
  return after.flatMap(({ compress_prompt: text, compressor_results: results }) => {
    const { original_token_count: from, compress_token_count: to } = asRecord(results)
    if (typeof text !== 'string' || !isCount(from) || !isCount(to)) return shape('kong')
    return to > from ? [{ check: 'grows', detail: `${from} to ${to}` }] : []
  })
}

function checkAgentgateway(
  request: SentRequest,
  posted: JsonRecord,
  answer: JsonRecord,
): Finding[] {
  const isRaw = posted.body === undefined
  const action = asRecord(answer.action)
  if (!isRaw && typeof action.reason !== 'string') return shape('agentgateway')
  const after = isRaw ? answer.messages : asRecord(action.body).messages
  if (after === undefined) return []
  return checkMessages(request, isRaw ? posted.messages : asRecord(posted.body).messages, after)
}
