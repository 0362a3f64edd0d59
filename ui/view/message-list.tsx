// biome-ignore-all lint/a11y/useSemanticElements: the rows of a table cannot be placed one by one
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names the row that is meant
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid has the keys
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { JsonValue } from '../data/answer.ts'
import { messageText, roleOf } from '../data/message-text.ts'
import { formatProbability, formatTokens } from '../data/numbers.ts'
import type { MessageRow } from '../data/rows.ts'
import { fateWord, reasonWords } from '../data/words.ts'
import { fateClass } from './fate-class.ts'

/** Places in the list of rows that is shown. */
export interface Visible {
  readonly from: number
  readonly to: number
}

interface MessageListProps {
  readonly rows: readonly MessageRow[]
  readonly selected: MessageRow | undefined
  /** Takes the place among all rows. */
  readonly select: (place: number) => void
  readonly onVisible: (visible: Visible) => void
}

/** Of one row, in pixels; the style sheet has the same. */
const ROW = 44
/** Rows beyond the visible ones, so that scrolling never shows a gap. */
const SPARE = 6
const PREVIEW = 220

/**
 * A grid of which only the rows in sight exist, so that its cost does not grow with the conversation.
 * It has the focus as a whole; the arrow keys move the selection.
 */
export function MessageList({ rows, selected, select, onVisible }: MessageListProps) {
  const box = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const [height, setHeight] = useState(600)
  const at = rows.findIndex((row) => row.place === selected?.place)

  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const observer = new ResizeObserver(() => setHeight(element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const first = Math.max(0, Math.floor(top / ROW) - SPARE)
  const last = Math.min(rows.length, Math.ceil((top + height) / ROW) + SPARE)
  useEffect(() => {
    onVisible({ from: Math.floor(top / ROW), to: Math.ceil((top + height) / ROW) })
  }, [top, height, onVisible])

  // Whatever selects a row, the map for instance, brings it into sight.
  useLayoutEffect(() => {
    const element = box.current
    if (element === null || at === -1) return
    const above = at * ROW
    if (above < element.scrollTop) element.scrollTop = above
    else if (above + ROW > element.scrollTop + element.clientHeight) {
      element.scrollTop = above + ROW - element.clientHeight
    }
  }, [at])

  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(height / ROW) - 1)
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -rows.length,
      End: rows.length,
    }
    const step = steps[event.key]
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const next = rows[Math.max(0, Math.min(rows.length - 1, at + step))]
    if (next !== undefined) select(next.place)
  }

  return (
    <div class="list">
      <div class="head" aria-hidden="true">
        <span>#</span>
        <span>before</span>
        <span>after</span>
        <span>why</span>
        <span>P(needed)</span>
        <span>tokens</span>
      </div>
      <div
        ref={box}
        id="messages"
        class="rows"
        role="grid"
        aria-label="Messages before and after"
        aria-rowcount={rows.length}
        aria-activedescendant={at >= first && at < last ? rowId(rows[at]) : undefined}
        tabIndex={0}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
        onKeyDown={onKeyDown}
      >
        <div class="all" role="presentation" style={{ height: `${rows.length * ROW}px` }}>
          {rows.slice(first, last).map((row, offset) => (
            <Row
              key={row.place}
              row={row}
              number={first + offset}
              isSelected={row.place === selected?.place}
              select={select}
            />
          ))}
        </div>
        {rows.length === 0 && <p class="waiting">No message is like that.</p>}
      </div>
    </div>
  )
}

interface RowProps {
  readonly row: MessageRow
  readonly number: number
  readonly isSelected: boolean
  readonly select: (place: number) => void
}

function Row({ row, number, isSelected, select }: RowProps) {
  const { action, fate, before, after } = row
  const { index, stage, reason, probability, tokensBefore, tokensAfter } = action
  return (
    <div
      id={rowId(row)}
      role="row"
      aria-rowindex={number + 1}
      aria-selected={isSelected}
      class={`row ${fateClass(row)}`}
      style={{ transform: `translateY(${number * ROW}px)` }}
      onClick={() => select(row.place)}
    >
      <span role="gridcell" class="number">
        {fate === 'inserted' ? '+' : index}
      </span>
      <span role="gridcell" class="text before">
        {before !== undefined && (
          <>
            <em>{roleOf(before)}</em> {preview(before)}
          </>
        )}
      </span>
      <span role="gridcell" class="text after">
        {after === undefined ? (
          <i class="gone">—</i>
        ) : fate === 'kept' ? (
          <i class="same">same</i>
        ) : (
          <>
            {fate === 'inserted' && <em>{roleOf(after)}</em>} {preview(after)}
          </>
        )}
      </span>
      <span role="gridcell" class="why" title={reasonWords(reason)}>
        <span>
          <b>{fateWord(fate)}</b> {stage !== undefined && <small>{stage}</small>}
        </span>
        <span>{reason}</span>
      </span>
      <span role="gridcell" class="probability">
        {probability !== undefined && (
          <>
            {formatProbability(probability)}
            <i class="meter" aria-hidden="true">
              <i style={{ width: `${probability * 100}%` }} />
            </i>
          </>
        )}
      </span>
      <span role="gridcell" class="tokens">
        {tokensBefore === tokensAfter
          ? formatTokens(tokensBefore)
          : `${formatTokens(tokensBefore)} → ${formatTokens(tokensAfter)}`}
      </span>
    </div>
  )
}

function rowId(row: MessageRow | undefined): string {
  return `message-${row?.place ?? 0}`
}

function preview(message: JsonValue): string {
  return messageText(message).slice(0, PREVIEW).replace(/\s+/g, ' ')
}
