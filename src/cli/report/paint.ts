import { styleText } from 'node:util'

export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red'

/** Wraps a text in a style, or gives it back as it is where there are no colours. */
export type Paint = (style: Style, text: string) => string

export const PLAIN: Paint = (_style, text) => text

/** Whether there are colours is decided by the stream that is written to, not by styleText. */
export const COLOURED: Paint = (style, text) =>
  text === '' ? text : styleText(style, text, { validateStream: false })
