import { COLOURED, type Paint, PLAIN } from './report/paint.ts'

/** The parts of a stream for people that the reports need. */
export interface Terminal {
  readonly write: (text: string) => void
  readonly isTerminal: boolean
  /** Columns of a line at most. */
  readonly width: number
  readonly paint: Paint
}

/** What is not a terminal, a file or a log, takes lines of this length. */
const PLAIN_WIDTH = 120

const MIN_WIDTH = 20

/** Of a terminal that does not say how wide it is. */
const USUAL_WIDTH = 80

/** Colours only where the terminal has them; Node.js reads NO_COLOR and its like for that. */
export function createTerminal(stream: NodeJS.WriteStream): Terminal {
  const isTerminal = stream.isTTY === true
  return {
    write: (text) => {
      stream.write(text)
    },
    isTerminal,
    width: isTerminal ? terminalWidth(stream.columns) : PLAIN_WIDTH,
    paint: isTerminal && stream.hasColors() ? COLOURED : PLAIN,
  }
}

function terminalWidth(columns: number): number {
  return columns > 0 ? Math.max(MIN_WIDTH, columns) : USUAL_WIDTH
}
