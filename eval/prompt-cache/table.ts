/** What the ways cost and lose, as a table in Markdown. */
import type { Played, TurnRecord } from './play-session.ts'

export interface NamedPlay {
  readonly name: string
  readonly played: Played
}

const COLUMNS = [
  'way',
  'turns answered',
  'tokens sent',
  'read from the cache',
  'turns that compact',
  'prefix kept in between',
  'cost',
  'cost per turn',
  'messages gone, mean',
  'messages cleared, mean',
  'of the history sent, mean',
] as const

export function toTable(plays: readonly NamedPlay[]): string {
  const rows = plays.map(({ name, played }) => [name, ...cellsOf(played)])
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line(COLUMNS),
    `|${COLUMNS.map((_, index) => (index === 0 ? '---' : '---:')).join('|')}|`,
    ...rows.map(line),
  ].join('\n')
}

/** Share of the turns without a compaction of their own that go on from what the turn before sent. */
export function prefixKept(turns: readonly TurnRecord[]): number | undefined {
  const own = turns.slice(1).filter(({ isCompaction }) => !isCompaction)
  return own.length === 0 ? undefined : own.filter(({ goesOn }) => goesOn).length / own.length
}

export function costOf({ turns }: Played): number {
  return total(turns, ({ cost }) => cost)
}

/** Messages of the history that a turn goes without, on average. */
export function meanGone({ turns }: Played): number {
  return total(turns, ({ dropped }) => dropped) / turns.length
}

function cellsOf(played: Played): string[] {
  const { turns, failedAt } = played
  const sent = total(turns, (turn) => turn.sent)
  const kept = prefixKept(turns)
  return [
    `${turns.length}${failedAt === undefined ? '' : `, then refused`}`,
    whole(sent),
    percent(total(turns, ({ read }) => read) / sent),
    String(turns.filter(({ isCompaction }) => isCompaction).length),
    kept === undefined ? 'no such turn' : percent(kept),
    whole(costOf(played)),
    whole(costOf(played) / turns.length),
    meanGone(played).toFixed(1),
    (total(turns, ({ rewritten }) => rewritten) / turns.length).toFixed(1),
    percent(total(turns, (turn) => turn.sent / turn.posted) / turns.length),
  ]
}

const whole = (value: number) => Math.round(value).toLocaleString('en-US')

const percent = (share: number) => `${(100 * share).toFixed(share === 1 ? 0 : 1)}%`

function total(turns: readonly TurnRecord[], of: (turn: TurnRecord) => number): number {
  return turns.reduce((sum, turn) => sum + of(turn), 0)
}
