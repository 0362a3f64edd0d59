import fc from 'fast-check'
import { SUMMARY_PREFIX } from '../../../src/engine/marker.ts'
import { type ConversationPayload, itemsOf, withItems } from '../../helpers/arbitraries/index.ts'
import type { WireFormat } from '../../helpers/wire-rules/index.ts'

/** What an earlier compaction left in the conversation. */
export interface EarlierRun {
  readonly summary: 'none' | 'prose' | 'sections'
  /** `uncounted` is NeuroLink's own, which does not say how many. */
  readonly marker: 'none' | keyof typeof MARKERS
  /** The assistant's marker stands behind the first message of the user, the user's before it. */
  readonly markerRole: 'user' | 'assistant'
}

export const earlierRun: fc.Arbitrary<EarlierRun> = fc.record({
  summary: fc.constantFrom('none', 'none', 'none', 'prose', 'sections'),
  marker: fc.constantFrom('none', 'none', 'none', 'none', 'truncated', 'snipped', 'uncounted'),
  markerRole: fc.constantFrom('user', 'assistant'),
})

const MARKERS = {
  truncated: '[7 earlier messages truncated to fit the context window]',
  snipped: '[1 earlier message snipped for context efficiency]',
  uncounted: '[Earlier conversation history was truncated to fit within context limits]',
} as const

const SUMMARIES = {
  prose: `${SUMMARY_PREFIX}The retry budget was lowered; staging broke once.`,
  sections: `${SUMMARY_PREFIX}1. Primary Request and Intent: migrate the parser\n10. Constraints and Established Rules:\n- never touch production`,
} as const

const MARKED = { isTruncationMarker: true }

/** A call of Gemini's model must come right after the user, so no marker of the model may stand between. */
function markerIn(format: WireFormat, role: EarlierRun['markerRole']): EarlierRun['markerRole'] {
  return format === 'gemini' ? 'user' : role
}

/** The conversation with a summary and a marker near its beginning. It stays valid. */
export function withTraces(
  format: WireFormat,
  payload: ConversationPayload,
  { summary, marker, markerRole }: EarlierRun,
): ConversationPayload {
  if (summary === 'none' && marker === 'none') return payload
  const messages = itemsOf(payload)
  const start = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer')
  const firstUser = messages.findIndex(({ role }) => role === 'user')
  const summaries =
    summary === 'none'
      ? []
      : [write(format, 'user', SUMMARIES[summary], { metadata: { isSummary: true } }, 's')]
  const markers =
    marker === 'none'
      ? []
      : [write(format, markerIn(format, markerRole), MARKERS[marker], MARKED, 't')]
  const opening = Math.max(0, start)
  const behind = markerRole === 'assistant' ? Math.max(opening, firstUser + 1) : opening
  return withItems(payload, [
    ...messages.slice(0, opening),
    ...summaries,
    ...messages.slice(opening, behind),
    ...markers,
    ...messages.slice(behind),
  ])
}

/** NeuroLink says in members what the other formats say in the text alone. Gemini's roles have other names. */
function write(
  format: WireFormat,
  role: EarlierRun['markerRole'],
  content: string,
  members: object,
  id: string,
) {
  switch (format) {
    case 'neurolink':
      return { id: `earlier-${id}`, role, content, ...members }
    case 'gemini':
      return { role: role === 'user' ? 'user' : 'model', parts: [{ text: content }] }
    default:
      return { role, content }
  }
}
