import { LIST_MEMBERS } from '../../formats/conversation-list.ts'
import type { ByteSink } from '../../json-text/byte-sink.ts'
import { writeLike } from '../../json-text/encode-like.ts'
import { createJsonSource } from '../../json-text/json-source.ts'

export interface PostedConversation {
  /** Bytes of each message as it was posted. */
  readonly itemBytes: () => readonly number[]
  /** Writes an edit of the conversation: what is not edited keeps the bytes it was posted with. */
  readonly write: (sink: ByteSink, edited: unknown) => void
}

export interface PostedBody {
  /** What was parsed, and has not been changed since. */
  readonly body: unknown
  readonly rawBody: Buffer | null
}

/** The conversation of a request that has one, as bytes; nothing is looked for before it is needed. */
export function postedConversation({ body, rawBody }: PostedBody): PostedConversation {
  const members = body as Readonly<Record<string, unknown>>
  const name = LIST_MEMBERS.find((list) => members[list] !== undefined) ?? 'messages'
  const source = createJsonSource(rawBody ?? Buffer.alloc(0), { elementsOf: name })
  return {
    itemBytes: () => {
      const elements = source.elements(name) ?? []
      // A conversation that is one string is one message, whose bytes are those of the string.
      if (typeof members[name] === 'string') return [sizeOf(source.member(name))]
      return elements.map(sizeOf)
    },
    write: (sink, edited) => {
      const range = source.member(name)
      if (range === undefined) throw new TypeError('The body has no conversation')
      writeLike(sink, edited, members[name], source.text, range)
    },
  }
}

function sizeOf(range: { readonly start: number; readonly end: number } | undefined): number {
  return range === undefined ? 0 : range.end - range.start
}
