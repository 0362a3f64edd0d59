import type { TokenCounter } from '../tokens/token-counter.ts'

export interface TokenizerReport {
  readonly encoding: string
  readonly estimated: boolean
  /** What a count by that encoding is multiplied by; 1 where it is exact. */
  readonly factor: number
}

export function describeCounter({ encoding, estimated, factor }: TokenCounter): TokenizerReport {
  return { encoding, estimated, factor }
}
