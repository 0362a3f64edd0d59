import { installationFaults } from '../decide/minilm/installation.ts'
import type { Fault } from './read-names.ts'
import type { Variables } from './schema.ts'

/** The better tier of the embedded decide model. */
export interface MinilmConfig {
  readonly folder: string
  readonly threads: number
  readonly timeoutMs: number
  readonly cacheBytes: number
}

/** Tells `fault` of all that is missing of the installation: a start without it would answer worse in silence. */
export function readMinilm(variables: Variables, fault: Fault): MinilmConfig {
  const folder = variables.PRECIS_DECIDE_MINILM_FOLDER
  for (const detail of installationFaults(folder)) fault('PRECIS_DECIDE_MINILM_FOLDER', detail)
  return {
    folder,
    threads: variables.PRECIS_DECIDE_MINILM_THREADS,
    timeoutMs: variables.PRECIS_DECIDE_MINILM_TIMEOUT_MS,
    cacheBytes: variables.PRECIS_DECIDE_MINILM_CACHE_BYTES,
  }
}
