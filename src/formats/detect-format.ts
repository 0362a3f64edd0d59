import type { Fault } from '../engine/errors.ts'
import type { JsonObject, Warning } from '../engine/transcript.ts'
import type { FormatId } from './adapter.ts'
import { hasList, LIST_MEMBERS } from './conversation-list.ts'
import { type Evidence, verdictOf } from './evidence.ts'
import { allMessagesHaveIds } from './message-evidence.ts'
import { FORMATS } from './registry.ts'
import { findUiMessage } from './ui-message.ts'

const UI_MESSAGES = 'they are messages of a page, and none that a model is sent'

interface FormatEvidence extends Evidence {
  readonly format: FormatId
}

export type Detection =
  | {
      readonly format: FormatId
      /** `format-assumed` where the conversation fits several formats alike. */
      readonly warnings: readonly Warning[]
      readonly evidence: readonly FormatEvidence[]
    }
  | {
      readonly ambiguous: readonly FormatId[]
      readonly evidence: readonly FormatEvidence[]
      /** The evidence for each of them, for the answer's problem document. */
      readonly faults: readonly Fault[]
    }
  | {
      readonly none: true
      readonly reason: string
      readonly evidence: readonly FormatEvidence[]
      readonly faults: readonly Fault[]
    }

/**
 * Which format a payload has, by evidence in its structure, never by its texts. Only formats whose
 * list the payload has are asked, and none where the messages are UIMessages of the AI SDK:
 *
 * 1. One format with evidence that only it has: that format, whatever speaks against it too; what
 *    does is then a fault inside the format, which reading names.
 * 2. Several such formats: ambiguous. The caller has to name one.
 * 3. No such evidence: of the formats that nothing speaks against, the only one; or, where several
 *    are left, which would then read and write the conversation alike, neurolink if every message has
 *    an id (it alone carries ids), else the first of FINDERS; with the warning `format-assumed`.
 * 4. Something speaks against every format: none.
 *
 * What counts as evidence is listed in docs/formats.md.
 */
export function detectFormat(payload: JsonObject): Detection {
  const uiMessage = findUiMessage(payload)
  if (uiMessage !== undefined) {
    return { none: true, reason: UI_MESSAGES, evidence: [], faults: [uiMessage] }
  }
  const candidates = Object.values(FORMATS).filter(({ list }) => hasList(payload, list))
  if (candidates.length === 0) {
    const reason = 'there is no array of messages'
    const [list = 'messages'] = LIST_MEMBERS.filter((name) => payload[name] !== undefined)
    const faults = [{ pointer: `/${list}`, rule: `${list}-array`, detail: 'must be an array' }]
    return { none: true, reason, evidence: [], faults }
  }
  const found = candidates.map(({ id, findEvidence }) => ({
    format: id,
    evidence: findEvidence(payload),
  }))
  const evidence = found.flatMap((one) =>
    one.evidence.map((piece) => ({ format: one.format, ...piece })),
  )
  const withVerdict = (verdict: 'yes' | 'maybe'): FormatId[] =>
    found.filter((one) => verdictOf(one.evidence) === verdict).map(({ format }) => format)

  const [sure, ...othersSure] = withVerdict('yes')
  if (sure !== undefined) {
    if (othersSure.length === 0) return { format: sure, warnings: [], evidence }
    const faults = faultsOf(evidence, 'yes')
    return { ambiguous: [sure, ...othersSure], evidence, faults }
  }
  const possible = withVerdict('maybe')
  const [first, ...others] = possible
  if (first === undefined) {
    const reason = 'something speaks against every known format'
    return { none: true, reason, evidence, faults: faultsOf(evidence, 'no') }
  }
  if (others.length === 0) return { format: first, warnings: [], evidence }
  const format = possible.includes('neurolink') && allMessagesHaveIds(payload) ? 'neurolink' : first
  return { format, warnings: [assumed(format, possible)], evidence }
}

function faultsOf(evidence: readonly FormatEvidence[], verdict: Evidence['verdict']): Fault[] {
  const speaks = verdict === 'yes' ? 'speaks for' : 'speaks against'
  return evidence
    .filter((piece) => piece.verdict === verdict)
    .map(({ format, pointer, why }) => ({
      pointer,
      rule: 'format-evidence',
      detail: `${speaks} ${format}: ${why}`,
    }))
}

function assumed(format: FormatId, possible: readonly FormatId[]): Warning {
  return {
    code: 'format-assumed',
    message: `the conversation fits ${possible.join(', ')}; it is taken for ${format}: name the format to be sure`,
    pointer: '/messages',
  }
}
