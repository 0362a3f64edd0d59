import type { Plot } from '../lib/result.ts'
import type { Bin } from '../measurements/measures/calibration.ts'
import { type Axis, drawLinePlot } from './line-plot.ts'

const DECADES = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1]

/** Bins of fewer answers say nothing: a single turn would draw them. */
const FEWEST = 50

/** Predicted against observed, both logarithmic. On the dashed line they agree. */
export function reliabilityPlot(
  name: string,
  title: string,
  sets: readonly { readonly name: string; readonly bins: readonly Bin[] }[],
): Plot {
  const axis = (label: string): Axis => ({
    label,
    from: 1e-6,
    to: 1,
    scale: 'logarithmic',
    ticks: DECADES.map((at) => ({ at, label: at === 1 ? '1' : `1e${Math.round(Math.log10(at))}` })),
  })
  const svg = drawLinePlot({
    title,
    x: axis('predicted P(needed)'),
    y: axis('observed share needed'),
    series: [
      ...sets.map((set) => ({
        name: set.name,
        points: set.bins
          .filter(({ count }) => count >= FEWEST)
          .map(({ predicted, observed }) => ({ x: predicted, y: observed })),
      })),
      {
        name: 'predicted = observed',
        isReference: true,
        points: [
          { x: 1e-6, y: 1e-6 },
          { x: 1, y: 1 },
        ],
      },
    ],
  })
  return { name, title, svg }
}
