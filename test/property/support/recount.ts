import type { JsonObject } from '../../../src/engine/transcript.ts'
import { entryTokens } from '../../../src/engine/transcript.ts'
import { FORMATS } from '../../../src/formats/index.ts'
import { createReadContext } from '../../../src/formats/read-context.ts'
import { createTokenCounters } from '../../../src/tokens/token-counter.ts'
import type { ConversationPayload } from '../../helpers/arbitraries/index.ts'
import type { WireFormat } from '../../helpers/wire-rules/index.ts'
import { membersOf } from './run-case.ts'

/** Counts everything anew: no cache, so that a run cannot be right by remembering its own mistake. */
const counters = createTokenCounters({ cacheBytes: 0 })

/** A conversation in a maker's own format is counted for that maker's models. */
const MODEL_OF_FORMAT = {
  'openai-chat': undefined,
  'anthropic-messages': 'claude',
  neurolink: undefined,
  'openai-responses': 'gpt-4o',
  gemini: 'gemini',
  'ai-sdk': undefined,
} as const

export interface Recount {
  readonly total: number
  /** Tokens of each message. */
  readonly messages: readonly number[]
}

/** Reads the payload as if it had just been posted, and adds up. */
export function recount(format: WireFormat, payload: ConversationPayload): Recount {
  const members = membersOf(payload)
  const model = members.model ?? MODEL_OF_FORMAT[format]
  const { countTokens } = counters.forModel(model)
  const { entries, beside } = FORMATS[format].read(
    members as unknown as JsonObject,
    createReadContext(FORMATS[format], countTokens, model),
  )
  const messages = entries.map(entryTokens)
  const besides = beside.instructionsTokens + beside.toolsTokens + beside.framingTokens
  return { total: messages.reduce((sum, tokens) => sum + tokens, besides), messages }
}
