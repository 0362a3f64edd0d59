import type { DecidePort } from '../../src/engine/ports.ts'
import type { Result } from './result.ts'

export interface NamedDecider {
  readonly name: string
  readonly decide: DecidePort
  /** Variables that make the service decide with it. */
  readonly environment: Readonly<Record<string, string>>
}

export interface Context {
  /** Folder of real conversations. */
  readonly data: string
  /** Samples in place of whole sets. */
  readonly short: boolean
  /** Every decide model that is measured; the embedded one first. */
  readonly deciders: readonly NamedDecider[]
}

export interface Measurement {
  readonly name: string
  readonly measure: (context: Context) => Promise<Result>
}
