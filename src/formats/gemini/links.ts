import type { DraftEntry } from '../draft.ts'

/**
 * Most calls of a loop that is dropped whole. The messages of a longer one would all stay as soon as
 * the last of them is too recent to go.
 */
const LONGEST_UNIT = 8

/**
 * Links beyond those of calls and responses. A content with calls must come right after a user's or
 * after responses. That holds after a drop as long as the content before the calls stays, or
 * everything between it and an earlier user's content goes with it: responses go with their calls,
 * so only user contents remain, which could leave calls behind a model's answer. Hence each content
 * that opens a loop of calls stays with them; not so
 *
 * - where no answer stands before it, as in the first turn;
 * - where it is the first or the last that the user says: the engine never drops those;
 * - where the loop is long: it then stays with the last thing the user says, which never goes.
 *
 * Nothing of the loop of the current request is linked to anything but its own exchange.
 */
export function linkContents(entries: readonly DraftEntry[]): void {
  const lastSpeech = entries.findLast(isSpeech)
  let hasAnswer = false
  let lastCalls: ReadonlySet<string> = new Set()
  let loop: Loop | undefined
  for (const [index, entry] of entries.entries()) {
    if (entry.role === 'assistant') {
      lastCalls = new Set(entry.links)
      if (entry.parts.some(({ kind }) => kind === 'tool-call')) loop?.calls.push(entry)
      if (answers(entries[index + 1], lastCalls)) continue
      hasAnswer = true
      closeLoop(loop, lastSpeech)
      loop = { opening: undefined, calls: [] }
    } else if (!answers(entry, lastCalls)) {
      closeLoop(loop, lastSpeech)
      const mayOpen = hasAnswer && entry !== lastSpeech && !isOurs(entry)
      loop = mayOpen ? { opening: entry, calls: [] } : undefined
    }
  }
  closeLoop(loop, lastSpeech)
  linkStart(entries)
}

/** Calls with nothing but responses between them, and the content that is none before the first. */
interface Loop {
  /** Undefined where a model's answer stands there. */
  readonly opening: DraftEntry | undefined
  readonly calls: DraftEntry[]
}

/** The last content that is more than responses: calls from there on may still be answered. */
export function startOfPendingCalls(entries: readonly DraftEntry[]): number {
  let index = entries.length - 1
  while (index >= 0 && isOnlyResponses(entries[index])) index -= 1
  return Math.max(0, index)
}

/** The conversation begins with the user: what stands before the user's first words goes as one. */
function linkStart(entries: readonly DraftEntry[]): void {
  const [first] = entries
  if (first === undefined || isOurs(first)) return
  const firstSpeech = entries.findIndex(isSpeech)
  const before = firstSpeech === -1 ? entries : entries.slice(0, firstSpeech)
  if (!before.some(({ role }) => role === 'assistant')) return
  for (const { links } of before) links.push('start')
}

function closeLoop(loop: Loop | undefined, lastSpeech: DraftEntry | undefined): void {
  const [first, ...others] = loop?.calls ?? []
  if (loop === undefined || first === undefined) return
  const { opening, calls } = loop
  if (opening === undefined) {
    // They came at fault, and the next call would be, were the first gone.
    if (others.length > 0) for (const { links } of calls) links.push(`loop:${first.index}`)
    return
  }
  const isShort = calls.length <= LONGEST_UNIT || lastSpeech === undefined
  const label = isShort ? `loop:${first.index}` : 'loops'
  for (const { links } of [opening, ...(isShort ? calls : [lastSpeech])]) links.push(label)
}

function answers(entry: DraftEntry | undefined, calls: ReadonlySet<string>): boolean {
  return entry?.role === 'tool' && entry.links.some((label) => calls.has(label))
}

function isOnlyResponses(entry: DraftEntry | undefined): boolean {
  if (entry?.role !== 'tool') return false
  return entry.parts.every(({ kind }) => kind === 'tool-result')
}

/** What the engine takes for the user's words: it keeps the first and the last of them. */
function isSpeech(entry: DraftEntry): boolean {
  if (isOurs(entry)) return false
  const says = entry.parts.some(({ kind, text }) => kind === 'text' && text.trim() !== '')
  if (entry.role === 'tool') return says
  return entry.role === 'user' && (says || entry.parts.some(({ kind }) => kind !== 'text'))
}

function isOurs({ flags }: DraftEntry): boolean {
  return flags.marker === true || flags.summary === true
}
