import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import type { FaultyPlace } from '../exchange-rule.ts'
import type { Breakpoint } from './breakpoints.ts'
import type { ExchangeFault } from './exchanges.ts'
import type { Turn } from './turns.ts'

/** What the rules of this format share, prepared once for each payload. */
export interface Context {
  readonly payload: JsonObject
  readonly messages: readonly JsonValue[]
  readonly turns: readonly Turn[]
  readonly exchanges: readonly FaultyPlace<ExchangeFault>[]
  readonly breakpoints: readonly Breakpoint[]
}
