/** The two columns of the map and what flows between them, on a canvas. */

export interface FlowBar {
  readonly before: number
  readonly after: number
  readonly fate: string
}

/** Numbers of messages. */
export interface Focus {
  /** First and last that the list shows. */
  readonly from: number
  readonly to: number
  readonly selected: number | undefined
}

const FATES = ['kept', 'pinned', 'dropped', 'rewritten', 'inserted'] as const

/** Of the width: the column before, and where the column after begins. */
const COLUMN = 0.34

/** Both columns have one scale, so that their heights compare. */
function unitOf(bars: readonly Pick<FlowBar, 'before' | 'after'>[]): number {
  let before = 0
  let after = 0
  for (const bar of bars) {
    before += bar.before
    after += bar.after
  }
  return 1 / Math.max(1, before, after)
}

/** Where each message lies, in shares of the height: before from and to, after from and to. */
export type Places = readonly (readonly [number, number, number, number])[]

export function placesOf(bars: readonly FlowBar[]): Places {
  const unit = unitOf(bars)
  let top = 0
  let topAfter = 0
  return bars.map(({ before, after }) => {
    const place = [top, top + before * unit, topAfter, topAfter + after * unit] as const
    top = place[1]
    topAfter = place[3]
    return place
  })
}

/** The columns and what flows between them. */
export function drawFlow(
  canvas: HTMLCanvasElement,
  bars: readonly FlowBar[],
  places: Places,
): void {
  const surface = prepare(canvas)
  if (surface === undefined) return
  const { context, height, column, right, style } = surface
  const colours = new Map<string, string>(
    FATES.map((fate) => [fate, style.getPropertyValue(`--${fate}`).trim()]),
  )
  for (const [index, { after, fate }] of bars.entries()) {
    const [top = 0, end = 0, topAfter = 0, endAfter = 0] = (places[index] ?? []).map(
      (share) => share * height,
    )
    context.fillStyle = colours.get(fate) ?? ''
    context.fillRect(0, top, column, thickness(end - top))
    if (after > 0) context.fillRect(right, topAfter, column, thickness(endAfter - topAfter))
    context.globalAlpha = fate === 'dropped' ? 0.16 : 0.26
    context.beginPath()
    context.moveTo(column, top)
    context.lineTo(right, topAfter)
    context.lineTo(right, endAfter)
    context.lineTo(column, end)
    context.fill()
    context.globalAlpha = 1
  }
}

/** A hair's breadth between messages, where they are high enough to have one. */
function thickness(height: number): number {
  return Math.max(0.4, height > 3 ? height - 0.75 : height)
}

/** What the list shows, and what is selected; on a canvas of its own, for it changes with every scroll. */
export function drawFocus(canvas: HTMLCanvasElement, places: Places, focus: Focus): void {
  const surface = prepare(canvas)
  if (surface === undefined) return
  const { context, height, column, right, style } = surface
  context.strokeStyle = style.getPropertyValue('--ink').trim()
  const first = places[focus.from]
  const last = places[focus.to]
  if (first !== undefined && last !== undefined) {
    const top = first[0] * height
    context.globalAlpha = 0.55
    context.strokeRect(0.5, top + 0.5, column - 1, Math.max(3, last[1] * height - top - 1))
    context.globalAlpha = 1
  }
  const selected = focus.selected === undefined ? undefined : places[focus.selected]
  if (selected === undefined) return
  const [top, end, topAfter, endAfter] = selected
  context.lineWidth = 2
  context.strokeRect(1, top * height, column - 2, Math.max(2, (end - top) * height))
  if (endAfter > topAfter) {
    context.strokeRect(
      right + 1,
      topAfter * height,
      column - 2,
      Math.max(2, (endAfter - topAfter) * height),
    )
  }
}

function prepare(canvas: HTMLCanvasElement) {
  const ratio = devicePixelRatio || 1
  const width = canvas.clientWidth
  const height = canvas.clientHeight
  const context = canvas.getContext('2d')
  if (context === null || width === 0 || height === 0) return undefined
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  context.scale(ratio, ratio)
  const column = Math.round(width * COLUMN)
  return { context, height, column, right: width - column, style: getComputedStyle(canvas) }
}

/** The message at a point of the map, in shares of its width and height. */
export function placeAt(places: Places, x: number, y: number): number | undefined {
  const found = places.findIndex(([, end, , endAfter]) => y < (x > 0.5 ? endAfter : end))
  return found === -1 ? undefined : found
}
