/** The worker where the source runs as it is, in development: a thread has to be told how to read it. */
import { register } from 'tsx/esm/api'

register()

export const { runTask, warm } = await import('./worker.ts')
