/**
 * The texts by which one run recognises what an earlier run left behind. They are recognised whole
 * and exactly, never searched for: a user who quotes a marker has not written one.
 */

import type { Part, PartMedia } from './transcript.ts'

/** Begins every summary message (NeuroLink's header, so that its histories are understood). */
export const SUMMARY_PREFIX = '[Previous conversation summary]:\n\n'

export type MarkerStyle = 'truncated' | 'snipped'

/** The snipping text is that of RubynCode's ContextCollapse; the other names the window as its reason. */
const WORDING: Record<MarkerStyle, string> = {
  truncated: 'truncated to fit the context window',
  snipped: 'snipped for context efficiency',
}

const MARKER =
  /^\[(\d{1,15}) earlier messages? (?:truncated to fit the context window|snipped for context efficiency)\]$/

/** NeuroLink's own marker, which carries no count. */
const UNCOUNTED_MARKER = '[Earlier conversation history was truncated to fit within context limits]'

/** The largest count that can be read back: a marker that is not recognised would be stacked upon. */
const MAX_COUNT = 999_999_999_999_999

export function markerText(count: number, style: MarkerStyle = 'truncated'): string {
  const number = Math.min(count, MAX_COUNT)
  return `[${number} earlier ${number === 1 ? 'message' : 'messages'} ${WORDING[style]}]`
}

/** The number of messages that a marker stands for: 0 where it does not say, undefined if it is none. */
export function parseMarker(text: string): number | undefined {
  if (text === UNCOUNTED_MARKER) return 0
  // The longest marker is far shorter than this; the guard keeps the pattern off large texts.
  if (text.length > 100) return undefined
  const match = MARKER.exec(text)
  return match === null ? undefined : Number(match[1])
}

/**
 * What Headroom leaves for what it has stored. LiteLLM adds a tool to a request that has one of these
 * anywhere, and lets the model call for what nobody has: no text of ours may hold one, also not in the
 * name of a caller's tool, or where a summariser quotes it.
 */
const RETRIEVAL_MARK = /hash=(?=[a-f0-9]{24})/g

/** The text with every such mark written so that it is none. */
export function withoutRetrievalMarks(text: string): string {
  return text.replace(RETRIEVAL_MARK, 'hash: ')
}

const CLEARED = '[Tool result cleared'
const DUPLICATE = '[Superseded:'

/** What stands in the place of a cleared tool result. Says which tool, so that it can be run again. */
export function clearedText(toolName: string | undefined): string {
  if (toolName === undefined || toolName === '') return `${CLEARED}]`
  return `${CLEARED}: ${withoutRetrievalMarks(toolName)}]`
}

const RECEIPT =
  /^\[[^\n]{1,80}: (?:ok|error|returned), \d{1,15} (?:lines|characters?), cleared as not needed\]$/

/** Most characters of a tool's name in a receipt, so that it is recognised whatever the name. */
const MAX_NAME_LENGTH = 80

/**
 * What stands in the place of a tool result that the current request does not need: which tool, how
 * it went, how much it said, and that it is gone. A text that rests on it stays honest.
 */
export function receiptText({ toolName, isError, text }: Part): string {
  return `[${receiptName(toolName)}: ${outcomeOf(isError)}, ${sizeOf(text)}, cleared as not needed]`
}

/** Where nobody said how it went, "ok" would be a claim without evidence. */
function outcomeOf(isError: boolean | undefined): 'ok' | 'error' | 'returned' {
  if (isError === undefined) return 'returned'
  return isError ? 'error' : 'ok'
}

function receiptName(toolName = ''): string {
  const shown = withoutRetrievalMarks(toolName)
  const name = shown.slice(0, MAX_NAME_LENGTH).replace(/[\ud800-\udbff]$/, '')
  return name.replace(/\s+/g, ' ').trim() || 'tool result'
}

/** Lines, or characters where there is but one line. */
function sizeOf(text: string): string {
  let lines = text === '' || text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1
  if (lines > 1) return `${lines} lines`
  return `${text.length} ${text.length === 1 ? 'character' : 'characters'}`
}

/** What stands in the place of media that are old. */
export function mediaNote(media: PartMedia | undefined): string {
  const count = media?.count ?? 1
  return count === 1 ? '[An old attachment was removed]' : `[${count} old attachments were removed]`
}

/**
 * What stands in the place of a result that a later one repeats. It tells what happened and points at
 * nothing: a later stage, or a later run, may drop the other one.
 */
export function supersededText(what: 'read of the same file' | 'identical result'): string {
  const happened =
    what === 'identical result'
      ? 'the same result came again later'
      : 'the file was read again later'
  return `${DUPLICATE} ${happened}]`
}

/** Whether a tool result is already such a placeholder. */
export function isPlaceholder(text: string): boolean {
  if (text.length >= 300) return false
  return text.startsWith(CLEARED) || text.startsWith(DUPLICATE) || RECEIPT.test(text)
}
