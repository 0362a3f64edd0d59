import {
  conversationListOf,
  findChanges,
  findFaults,
  listMemberOf,
  newFaults,
  type WireFormat,
  type WirePayload,
} from '../../../test/helpers/wire-rules/index.ts'
import { asArray, asRecord, type JsonRecord } from '../../../test/helpers/wire-rules/json.ts'
import type { Finding } from '../types.ts'
import { isCount } from './parse-body.ts'

/** A 200 of `/compact`: valid, never larger, honest about its size, and in agreement with itself. */
export function checkCompaction(posted: JsonRecord, answer: JsonRecord): Finding[] {
  const { format, outcome, tokensBefore, tokensAfter, tokensSaved } = answer
  if (!isCount(tokensBefore) || !isCount(tokensAfter)) {
    return [{ check: 'answer of /compact', detail: 'has no counts' }]
  }
  const member = listMemberOf(posted)
  const findings = checkOutput(format as WireFormat, posted, {
    ...posted,
    [member]: answer[member],
  })
  const add = (check: string, detail: string) => findings.push({ check, detail })
  if (tokensAfter > tokensBefore) add('grows', `${tokensBefore} to ${tokensAfter}`)
  if (tokensSaved !== tokensBefore - tokensAfter) add('totals', 'saved is not before less after')
  if (answer.fits !== doesFit(answer, tokensAfter)) add('fits', `says ${answer.fits}`)
  if (outcome !== 'unchanged' && outcome !== 'compacted' && outcome !== 'partial') {
    add('outcome', String(outcome))
  }
  const isSame = sameJson(posted[member], answer[member])
  if (outcome === 'unchanged' && (!isSame || tokensAfter !== tokensBefore)) {
    add('unchanged', 'and yet it changed')
  }
  if (posted.dryRun === true && !isSame) add('dry run', 'and yet it changed')
  if (
    asArray(answer.warnings).some((warning) => asRecord(warning).code === 'invariant-violation')
  ) {
    add('invariant violation', 'the own checker has found a fault')
  }
  return findings
}

function doesFit(answer: JsonRecord, tokensAfter: number): boolean {
  const target = asRecord(asRecord(answer.budget).targetTokens).value
  const { max, after } = asRecord(answer.bytes)
  const isInBytes = typeof max !== 'number' || Number(after) <= max
  return typeof target === 'number' && tokensAfter <= target && isInBytes
}

/** By the oracle: no fault that the input had not, and no change that may not be made. */
export function checkOutput(
  format: WireFormat,
  before: WirePayload,
  after: WirePayload,
): Finding[] {
  const list = conversationListOf(after)
  if (sameJson(conversationListOf(before), list)) return []
  // What a change may not do is said of conversations that were whole before it.
  const wasWhole = findFaults(format, before).length === 0
  const faults = [
    ...newFaults(format, before, after),
    ...(wasWhole ? findChanges(format, before, after) : []),
  ]
  return faults.map(({ rule, pointer }) => ({
    check: `invalid: ${rule}`,
    detail: `${format} ${pointer}`,
  }))
}

function sameJson(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(after)
}
