import { createSeededRandom, type SeededRandom } from '../../helpers/seeded-random.ts'

/** A message as its text is put together: spellings that do not survive JSON.parse and JSON.stringify. */
export interface OddMessage {
  readonly raw: string
  /**
   * Text of the message with other texts of its blocks, or of its content where it has none: one
   * member less, for the first of two of one name has no say.
   */
  readonly rewritten: (texts: readonly string[]) => string
  /** As they are written, quotes included. */
  readonly texts: readonly string[]
  readonly hasBlocks: boolean
}

export interface OddTalk {
  readonly text: Buffer
  readonly messages: readonly OddMessage[]
}

/** A message list with big integers, ids, escapes and integer-like names beside what may be rewritten. */
export const createTalk = (length: number, seed: number): OddTalk => {
  const random = createSeededRandom(seed)
  const messages = Array.from({ length }, (_, index) => createMessage(index, random))
  const separator = random.pick([',', ', ', ',\n  '])
  const text = Buffer.from(`[${messages.map(({ raw }) => raw).join(separator)}]`)
  return { text, messages }
}

const createMessage = (index: number, random: SeededRandom): OddMessage => {
  const big = `1234567890123456${String(1_000 + index * 7)}`
  const space = random.pick(['', ' ', '\n\t'])
  const role = random.pick(['"user"', '"us\\u0065r"', '"tool"'])
  const twice = `"10":${space}1.${index}0,`
  const odd = `"2":1e5,"10":${index}.0`
  if (random.chance(0.5)) {
    const texts = [`"said ${index} \\u00e9"`]
    const write = (members: string, [content = '']: readonly string[]) =>
      `{"role":${space}${role},"call_id":"c\\/${index}",${members},"content":${content}, "big":${big}}`
    return {
      raw: write(twice + odd, texts),
      rewritten: (others) => write(odd, others),
      texts,
      hasBlocks: false,
    }
  }
  const texts = Array.from(
    { length: 1 + random.below(4) },
    (_, place) => `"block ${index}.${place} \\/"`,
  )
  const block = (text: string, place: number) =>
    `{"big":${big}${place},"text":${space}${text},"1":-0.0}`
  const write = (members: string, blocks: readonly string[]) =>
    `{${members},"content":[${blocks.map(block).join(`${space},`)}],"role":${role}${space}}`
  return {
    raw: write(twice + odd, texts),
    rewritten: (others) => write(odd, others),
    texts,
    hasBlocks: true,
  }
}

type Message = Readonly<Record<string, unknown>>

/** A list of messages edited as stages edit it, and the texts that its messages must have. */
export const rewriteTalk = (
  before: readonly Message[],
  messages: readonly OddMessage[],
  seed: number,
) => {
  const random = createSeededRandom(seed + 1)
  const did = new Set<string>()
  const result: { readonly message: Message; readonly raw: string }[] = []
  for (const [index, message] of before.entries()) {
    const { raw, rewritten, texts, hasBlocks } = messages[index]!
    if (random.chance(0.15)) {
      did.add('inserted')
      const marker = { role: 'user', content: `[${index} messages removed]` }
      result.push({ message: marker, raw: JSON.stringify(marker) })
    }
    const fate = random.next()
    if (fate < 0.3) {
      did.add('dropped')
    } else if (fate < 0.55) {
      did.add(hasBlocks ? 'a block' : 'rewritten')
      const place = random.below(texts.length)
      const text = `cleared é ${index}`
      const content = hasBlocks
        ? (message.content as Message[]).map((block, at) =>
            at === place ? { ...block, text } : block,
          )
        : text
      result.push({
        message: { ...message, content },
        raw: rewritten(texts.map((old, at) => (at === place ? JSON.stringify(text) : old))),
      })
    } else {
      result.push({ message, raw })
    }
  }
  if (random.chance(0.2) && result.length > 1) {
    did.add('moved')
    result.unshift(...result.splice(-1))
  }
  return {
    after: result.map(({ message }) => message),
    expected: result.map(({ raw }) => raw),
    did,
  }
}
