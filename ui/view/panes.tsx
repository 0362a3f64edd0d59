import { useCallback, useState } from 'preact/hooks'
import type { MessageRow } from '../data/rows.ts'
import { FlowMap } from './flow-map.tsx'
import { MessageDetail } from './message-detail.tsx'
import { MessageList, type Visible } from './message-list.tsx'

interface PanesProps {
  /** All of the conversation. */
  readonly rows: readonly MessageRow[]
  /** Those of them that the list has. */
  readonly shown: readonly MessageRow[]
}

/** The map, the list and the selected message. What scrolling changes, changes nothing outside. */
export function Panes({ rows, shown }: PanesProps) {
  const [selected, select] = useState(0)
  const [visible, setVisible] = useState<Visible>({ from: 0, to: 0 })
  const current = rows[Math.min(selected, rows.length - 1)]
  const onVisible = useCallback((next: Visible) => {
    setVisible((before) => (before.from === next.from && before.to === next.to ? before : next))
  }, [])
  return (
    <div class="panes">
      <FlowMap rows={rows} shown={shown} visible={visible} selected={current} select={select} />
      <MessageList rows={shown} selected={current} select={select} onVisible={onVisible} />
      {current !== undefined && <MessageDetail row={current} />}
    </div>
  )
}
