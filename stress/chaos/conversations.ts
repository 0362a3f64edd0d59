import {
  type SampleConversation,
  type SampledFormat,
  sampleConversation,
} from '../../test/helpers/sample-conversation.ts'

/** One caller's conversation, and the request that posts it. */
export interface PostedConversation {
  readonly sample: SampleConversation
  /** Number of a message that the caller pins. */
  readonly pin: number
  readonly bytes: Buffer
}

interface Size {
  readonly pairs: number
  readonly sentences: number
}

/** About 20 kB, 150 kB, and 400 kB, which is above the default of PRECIS_WORKER_MIN_BYTES. */
const SMALL: Size = { pairs: 12, sentences: 6 }
const MIDDLE: Size = { pairs: 32, sentences: 20 }
const LARGE: Size = { pairs: 80, sentences: 22 }

/** Of eight callers five are small, two in the middle and one is large. */
const MIX: readonly Size[] = [SMALL, SMALL, LARGE, SMALL, MIDDLE, SMALL, MIDDLE, SMALL]

/** One who posts a large conversation. */
export const LARGE_CALLER = MIX.indexOf(LARGE)

const FORMATS: readonly SampledFormat[] = ['openai-chat', 'anthropic-messages', 'neurolink']

/** Of the tokens that are posted; half of what relevance may drop is not enough for it. */
const TARGET_SHARE = 0.4
/** Of these sentences, by the service's count of each format. */
const BYTES_PER_TOKEN: Readonly<Record<SampledFormat, number>> = {
  'openai-chat': 3.5,
  'anthropic-messages': 2.1,
  neurolink: 3.9,
}

/** A conversation for each caller, no text of which is another's. */
export function createConversations(callers: number): readonly PostedConversation[] {
  return Array.from({ length: callers }, (_, caller) => {
    const format = FORMATS[caller % FORMATS.length] ?? 'openai-chat'
    const sample = sampleConversation(format, {
      ...(MIX[caller % MIX.length] ?? SMALL),
      secret: `caller${caller}`,
    })
    const { length } = JSON.stringify(sample.request)
    const pin = sample.eligible[sample.eligible.length >> 1] ?? 0
    const targetTokens = Math.floor((length / BYTES_PER_TOKEN[format]) * TARGET_SHARE)
    const body = { ...sample.request, targetTokens, pins: [pin] }
    return { sample, pin, bytes: Buffer.from(JSON.stringify(body)) }
  })
}
