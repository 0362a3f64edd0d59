import { useMemo, useState } from 'preact/hooks'
import { messageText } from '../data/message-text.ts'
import type { Input } from '../data/read-input.ts'
import { FILTERS, type Filter, isShown, type MessageRow } from '../data/rows.ts'
import type { InspectorStore, Result, State } from '../state/inspector-store.ts'
import { BudgetBar } from './budget-bar.tsx'
import { Outcome } from './outcome.tsx'
import { Panes } from './panes.tsx'
import { Stages } from './stages.tsx'

interface ResultViewProps {
  readonly result: Result
  readonly input: Input
  readonly state: State
  readonly store: InspectorStore
}

export function ResultView({ result, input, state, store }: ResultViewProps) {
  const [filter, setFilter] = useState<Filter>('all')
  const [search, setSearch] = useState('')
  const { rows, answer } = result
  const shown = useMemo(() => filterRows(rows, filter, search), [rows, filter, search])
  const counts = useMemo(() => countBy(rows), [rows])
  return (
    <>
      <Outcome result={result} input={input} store={store} working={state.working} />
      <BudgetBar answer={answer} />
      <Stages result={result} />
      <section class="messages" aria-label="Messages">
        <div class="sieve">
          <h2>Messages</h2>
          <label>
            Show
            <select
              value={filter}
              onChange={(event) =>
                setFilter(FILTERS.find((name) => name === event.currentTarget.value) ?? 'all')
              }
            >
              {FILTERS.map((name) => (
                <option key={name} value={name}>
                  {`${name} (${counts[name]})`}
                </option>
              ))}
            </select>
          </label>
          <label>
            Containing
            <input
              type="search"
              value={search}
              onInput={(event) => setSearch(event.currentTarget.value)}
            />
          </label>
          <Legend />
        </div>
        <Panes rows={rows} shown={shown} />
      </section>
    </>
  )
}

function countBy(rows: readonly MessageRow[]): Readonly<Record<Filter, number>> {
  return Object.fromEntries(
    FILTERS.map((name) => [name, rows.filter((row) => isShown(row, name)).length]),
  ) as Record<Filter, number>
}

function filterRows(
  rows: readonly MessageRow[],
  filter: Filter,
  search: string,
): readonly MessageRow[] {
  const wanted = search.trim().toLowerCase()
  if (filter === 'all' && wanted === '') return rows
  return rows.filter(
    (row) =>
      isShown(row, filter) &&
      (wanted === '' || [row.before, row.after].some((message) => holds(message, wanted))),
  )
}

function holds(message: MessageRow['before'], wanted: string): boolean {
  return message !== undefined && messageText(message).toLowerCase().includes(wanted)
}

function Legend() {
  return (
    <ul class="legend" aria-label="Colours">
      <li class="kept">kept</li>
      <li class="pinned">must stay</li>
      <li class="dropped">dropped</li>
      <li class="rewritten">shortened</li>
      <li class="inserted">inserted</li>
    </ul>
  )
}
