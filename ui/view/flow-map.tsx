import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { MessageRow } from '../data/rows.ts'
import { fateClass } from './fate-class.ts'
import { drawFlow, drawFocus, type FlowBar, placeAt, placesOf } from './flow-drawing.ts'
import type { Visible } from './message-list.tsx'

interface FlowMapProps {
  readonly rows: readonly MessageRow[]
  readonly shown: readonly MessageRow[]
  readonly visible: Visible
  readonly selected: MessageRow | undefined
  readonly select: (place: number) => void
}

/**
 * The conversation before and after as two columns, each message as high as it has tokens, and what
 * became of each between them. For the eye alone: the grid beside it says the same in words.
 */
export function FlowMap({ rows, shown, visible, selected, select }: FlowMapProps) {
  const flow = useRef<HTMLCanvasElement>(null)
  const focus = useRef<HTMLCanvasElement>(null)
  const [look, changeLook] = useState(0)
  const bars = useMemo(() => rows.map(toBar), [rows])
  const places = useMemo(() => placesOf(bars), [bars])
  const before = bars.reduce((sum, bar) => sum + bar.before, 0)
  const after = bars.reduce((sum, bar) => sum + bar.after, 0)

  useEffect(() => {
    const element = flow.current
    const again = () => changeLook((count) => count + 1)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const observer = new ResizeObserver(again)
    if (element !== null) observer.observe(element)
    scheme.addEventListener('change', again)
    return () => {
      observer.disconnect()
      scheme.removeEventListener('change', again)
    }
  }, [])

  useEffect(() => {
    if (flow.current !== null) drawFlow(flow.current, bars, places)
  }, [bars, places, look])

  useEffect(() => {
    if (focus.current === null) return
    const from = shown[Math.min(visible.from, shown.length - 1)]?.place ?? 0
    const to = shown[Math.min(visible.to, shown.length) - 1]?.place ?? 0
    drawFocus(focus.current, places, { from, to, selected: selected?.place })
  }, [places, shown, visible, selected, look])

  return (
    <div class="map">
      <div class="head" aria-hidden="true">
        <span>before</span>
        <span>after</span>
      </div>
      <div
        class="layers"
        role="img"
        aria-label={`Messages before, ${before} tokens, and after, ${after} tokens, as proportional bars`}
      >
        <canvas ref={flow} />
        <canvas
          ref={focus}
          onClick={(event) => {
            const bounds = event.currentTarget.getBoundingClientRect()
            const x = (event.clientX - bounds.left) / bounds.width
            const y = (event.clientY - bounds.top) / bounds.height
            const place = placeAt(places, x, y)
            if (place !== undefined) select(place)
          }}
        />
      </div>
    </div>
  )
}

function toBar(row: MessageRow): FlowBar {
  const { tokensBefore, tokensAfter } = row.action
  return { before: tokensBefore, after: tokensAfter, fate: fateClass(row) }
}
