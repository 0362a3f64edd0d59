import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void

/**
 * Before one thing is timed beside others in a process: their garbage is not its cost. The young
 * generation only: a full collection throws compiled code away too, and times come out threefold.
 */
export function collectGarbage(): void {
  collect({ type: 'minor' })
}
