import type { MessageRow } from '../data/rows.ts'

const BINS = 25
const WIDTH = 250
const HEIGHT = 44

/** How the probabilities lie, with the bar that a message has to be under to go. */
export function Histogram({ rows, bar }: { rows: readonly MessageRow[]; bar: number }) {
  const bins = Array.from({ length: BINS }, () => ({ gone: 0, stayed: 0 }))
  let judged = 0
  let under = 0
  for (const { action } of rows) {
    const { probability, stage } = action
    if (probability === undefined) continue
    judged += 1
    if (probability <= bar) under += 1
    const bin = bins[Math.min(BINS - 1, Math.floor(probability * BINS))]
    if (bin === undefined) continue
    if (stage === 'relevance') bin.gone += 1
    else bin.stayed += 1
  }
  if (judged === 0) return <p class="fine">No message was judged in this run.</p>
  // Most messages lie at the ends; a root keeps the few between them in sight.
  const scale = (count: number) => Math.sqrt(count)
  const most = Math.max(...bins.map(({ gone, stayed }) => scale(gone + stayed)))
  const step = WIDTH / BINS
  return (
    <figure class="histogram">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`P(needed) of ${judged} judged messages; ${under} lie at or under ${bar.toFixed(3)}`}
      >
        <rect class="droppable" x={0} y={0} width={bar * WIDTH} height={HEIGHT} />
        {bins.map(({ gone, stayed }, index) => {
          const all = gone + stayed
          if (all === 0) return null
          const height = (scale(all) / most) * (HEIGHT - 4)
          const goneHeight = (height * gone) / all
          const x = index * step + 0.5
          return (
            <g key={index}>
              <rect
                class="stayed"
                x={x}
                y={HEIGHT - height}
                width={step - 1}
                height={height - goneHeight}
              />
              <rect
                class="gone"
                x={x}
                y={HEIGHT - goneHeight}
                width={step - 1}
                height={goneHeight}
              />
            </g>
          )
        })}
        <line class="bar" x1={bar * WIDTH} x2={bar * WIDTH} y1={0} y2={HEIGHT} />
      </svg>
      <figcaption>
        <span>0</span>
        <span>P(needed) of {judged} messages</span>
        <span>1</span>
      </figcaption>
    </figure>
  )
}
