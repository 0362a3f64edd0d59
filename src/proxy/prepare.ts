import type { Asked } from './asked.ts'
import { type Attempted, type Attempts, createAttempts, tellsInEvents } from './attempts.ts'
import { createAttemptsElsewhere } from './attempts-elsewhere.ts'
import type { Overflow } from './overflow/recognise.ts'
import {
  asItCame,
  type Prepare,
  type PrepareCall,
  type Prepared,
  type PrepareOptions,
  passed,
} from './prepared.ts'
import { surelyFits } from './surely-fits.ts'
import type { Generation } from './surface.ts'

/** Decides what to send in place of what came. Throws only when the caller leaves. */
export function createPrepare(options: PrepareOptions): Prepare {
  const { conversation, unpack } = options
  return async (call) => {
    const { body, generation } = call
    if (call.asked.bypass) return asItCame(body, { outcome: 'bypassed' })
    if (generation === undefined) return passed(body, 'not-generation')
    const text = await unpack(body, call.encoding, call.whenOver)
    if (typeof text === 'string') return passed(body, text)
    const learnedTarget = options.learned.find(text, generation)
    const asked = withTarget(call.asked, learnedTarget)
    const attempts = attemptsAt(text, generation, { ...call, asked }, options)
    const harder = (ownTokens: number | undefined) => (overflow: Overflow) =>
      harderThan(ownTokens, overflow, attempts, { text, generation, body }, options)
    if (!surelyFits(text, generation, asked, conversation)) {
      const first = preparedFrom(await attempts.first(), body, harder)
      if (learnedTarget === undefined) return first
      // It was refused before where nobody would have thought so.
      const mayBeTooLong = tellsInEvents(generation)
      return { ...first, mayBeTooLong, note: { ...first.note, learnedTarget } }
    }
    let ownTokens: number | undefined
    return {
      ...asItCame(body, { outcome: 'unchanged' }),
      count: async () => {
        const counted = await attempts.count()
        ownTokens = counted.ownTokens
        return counted.note
      },
      harder: (overflow) => harder(ownTokens)(overflow),
    }
  }
}

function withTarget(asked: Asked, learned: number | undefined): Asked {
  if (learned === undefined) return asked
  const { targetTokens = Number.POSITIVE_INFINITY } = asked
  return { ...asked, targetTokens: Math.min(targetTokens, learned) }
}

/** A body above the size from which it pays is worked on by another thread, if there is one. */
function attemptsAt(
  text: Buffer,
  generation: Generation,
  call: PrepareCall,
  { workers, ...options }: PrepareOptions,
): Attempts {
  const request = { generation, asked: call.asked }
  return workers !== undefined && text.length >= workers.minBytes
    ? createAttemptsElsewhere(text, request, call, { workers, deadlineMs: options.deadlineMs })
    : createAttempts(text, request, call, options)
}

function preparedFrom(
  made: Attempted,
  body: Buffer,
  harder: (ownTokens: number | undefined) => NonNullable<Prepared['harder']>,
): Prepared {
  const { ownTokens, mayGoHarder, mayBeTooLong } = made
  return {
    ...inPlaceOf(body, made),
    mayBeTooLong,
    ...(mayGoHarder && { harder: harder(ownTokens) }),
  }
}

function inPlaceOf(body: Buffer, { rewritten, note }: Attempted): Prepared {
  return { body: rewritten ?? body, isRewritten: rewritten !== undefined, note }
}

interface Came {
  readonly text: Buffer
  readonly generation: Generation
  readonly body: Buffer
}

/** Sent in place of what was refused. Whatever the upstream says to it, the next turn begins with it. */
async function harderThan(
  ownTokens: number | undefined,
  overflow: Overflow,
  attempts: Attempts,
  { text, generation, body }: Came,
  { learned }: PrepareOptions,
): Promise<Prepared | undefined> {
  const again = await attempts.harder(overflow, ownTokens)
  if (again === undefined) return undefined
  if (again.aimedTokens !== undefined) learned.learn(text, generation, again.aimedTokens)
  return inPlaceOf(body, again)
}
