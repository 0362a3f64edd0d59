import type { Plot } from '../lib/result.ts'
import { type Axis, drawLinePlot } from './line-plot.ts'

export interface RecallCurve {
  readonly name: string
  readonly points: readonly { readonly share: number; readonly kept: number }[]
}

/** Share of the needed turns that is kept, over the share of the tokens that is. */
export function recallPlot(name: string, title: string, curves: readonly RecallCurve[]): Plot {
  const axis = (label: string): Axis => ({
    label,
    from: 0,
    to: 1,
    scale: 'linear',
    ticks: [0, 0.2, 0.4, 0.6, 0.8, 1].map((at) => ({ at, label: `${Math.round(100 * at)}%` })),
  })
  const svg = drawLinePlot({
    title,
    x: axis('tokens kept'),
    y: axis('needed turns kept'),
    series: curves.map((curve) => ({
      name: curve.name,
      points: curve.points.map(({ share, kept }) => ({ x: share, y: kept })),
    })),
  })
  return { name, title, svg }
}
