/** A plot of lines and points as SVG: enough for what the measurements show, and nothing more. */

export interface Series {
  readonly name: string
  readonly points: readonly { readonly x: number; readonly y: number }[]
  /** Drawn as a thin dashed line without points: a reference and not a measurement. */
  readonly isReference?: boolean
}

export interface Axis {
  readonly label: string
  readonly from: number
  readonly to: number
  readonly scale: 'linear' | 'logarithmic'
  readonly ticks: readonly { readonly at: number; readonly label: string }[]
}

export interface LinePlot {
  readonly title: string
  readonly x: Axis
  readonly y: Axis
  readonly series: readonly Series[]
}

const WIDTH = 640
const HEIGHT = 420
const LEFT = 64
const RIGHT = 16
const TOP = 40
const BOTTOM = 52
const LEGEND_LINE = 18

/** Wong's palette, which colour-blind readers can tell apart. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000']

export function drawLinePlot({ title, x, y, series }: LinePlot): string {
  const toX = (value: number): number => LEFT + share(value, x) * (WIDTH - LEFT - RIGHT)
  const toY = (value: number): number => HEIGHT - BOTTOM - share(value, y) * (HEIGHT - TOP - BOTTOM)
  const grid = [
    ...x.ticks.map(({ at, label }) => verticalTick(toX(at), label)),
    ...y.ticks.map(({ at, label }) => horizontalTick(toY(at), label)),
  ]
  const lines = series.map((one, index) => {
    const colour =
      one.isReference === true ? '#888888' : (COLOURS[index % COLOURS.length] ?? '#000')
    const path = one.points.map((point) => `${fixed(toX(point.x))},${fixed(toY(point.y))}`)
    const dots = one.isReference === true ? [] : path.map((at) => dot(at, colour))
    return [polyline(path, colour, one.isReference === true), ...dots, legend(one, colour, index)]
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    text(WIDTH / 2, 22, title, 'middle', 14),
    ...grid,
    `<rect x="${LEFT}" y="${TOP}" width="${WIDTH - LEFT - RIGHT}" height="${HEIGHT - TOP - BOTTOM}" fill="none" stroke="#444444"/>`,
    ...lines.flat(),
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, x.label, 'middle'),
    `<g transform="translate(16 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)">${text(0, 0, y.label, 'middle')}</g>`,
    '</svg>',
    '',
  ].join('\n')
}

/** Where on the axis a value lies, from 0 to 1; what is beyond it is drawn at its end. */
function share(value: number, { from, to, scale }: Axis): number {
  const at =
    scale === 'linear' ? (value - from) / (to - from) : Math.log(value / from) / Math.log(to / from)
  return Math.min(1, Math.max(0, at))
}

function verticalTick(at: number, label: string): string {
  return `<line x1="${fixed(at)}" y1="${TOP}" x2="${fixed(at)}" y2="${HEIGHT - BOTTOM}" stroke="#dddddd"/>${text(at, HEIGHT - BOTTOM + 18, label, 'middle')}`
}

function horizontalTick(at: number, label: string): string {
  return `<line x1="${LEFT}" y1="${fixed(at)}" x2="${WIDTH - RIGHT}" y2="${fixed(at)}" stroke="#dddddd"/>${text(LEFT - 8, at + 4, label, 'end')}`
}

function polyline(path: readonly string[], colour: string, isDashed: boolean): string {
  const dashes = isDashed ? ' stroke-dasharray="4 4" stroke-width="1"' : ' stroke-width="2"'
  return `<polyline points="${path.join(' ')}" fill="none" stroke="${colour}"${dashes}/>`
}

function dot(at: string, colour: string): string {
  const [x, y] = at.split(',')
  return `<circle cx="${x}" cy="${y}" r="3" fill="${colour}"/>`
}

function legend({ name }: Series, colour: string, index: number): string {
  const y = HEIGHT - BOTTOM - 12 - index * LEGEND_LINE
  const x = WIDTH - RIGHT - 190
  return `<line x1="${x}" y1="${y}" x2="${x + 18}" y2="${y}" stroke="${colour}" stroke-width="3"/>${text(x + 24, y + 4, name, 'start')}`
}

function text(x: number, y: number, content: string, anchor: string, size?: number): string {
  const fontSize = size === undefined ? '' : ` font-size="${size}"`
  return `<text x="${fixed(x)}" y="${fixed(y)}" text-anchor="${anchor}"${fontSize}>${escapeXml(content)}</text>`
}

function fixed(value: number): string {
  return String(Math.round(value * 10) / 10)
}

function escapeXml(content: string): string {
  return content
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
