import { createAttempts } from './attempts.ts'
import { asItCame, type Prepare, type PrepareOptions, passed } from './prepared.ts'
import { surelyFits } from './surely-fits.ts'

/** Decides what to send in place of what came. Throws only when the caller leaves. */
export function createPrepare(options: PrepareOptions): Prepare {
  const { conversation, reader } = options
  return async (call) => {
    const { asked, body, generation } = call
    if (asked.bypass) return asItCame(body, { outcome: 'bypassed' })
    if (generation === undefined) return passed(body, 'not-generation')
    const text = await reader.unpack(body, call.encoding, call.whenOver)
    if (typeof text === 'string') return passed(body, text)
    const attempts = createAttempts(text, generation, call, options)
    if (!surelyFits(text, generation, asked, conversation)) return attempts.first()
    return {
      ...asItCame(body, { outcome: 'unchanged' }),
      count: attempts.count,
      harder: attempts.harder,
    }
  }
}
