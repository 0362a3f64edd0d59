import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import type { FaultyPlace } from '../exchange-rule.ts'
import type { ExchangeFault } from './exchanges.ts'

/** What the rules of this format share, prepared once for each payload. */
export interface Context {
  readonly payload: JsonObject
  readonly messages: readonly JsonValue[]
  readonly exchanges: readonly FaultyPlace<ExchangeFault>[]
}
