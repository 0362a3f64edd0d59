import type { JsonValue } from '../../engine/transcript.ts'
import type { ListMember } from '../../formats/conversation-list.ts'
import { encodeJsonWith } from '../../http/body/encode-json.ts'
import { encodeLike } from '../../json-text/encode-like.ts'
import { createJsonSource } from '../../json-text/json-source.ts'
import type { InputDocument } from '../input/read-document.ts'

/** The document with another conversation in the place of its own; all else keeps its bytes. */
export function encodeDocument(
  { kind, bytes, members }: InputDocument,
  list: ListMember,
  conversation: JsonValue,
): Buffer {
  // The input's own bytes, whatever stands around the document, where nothing has changed.
  if (members[list] === conversation) return bytes
  const { document } = createJsonSource(bytes)
  const encoded =
    kind === 'list'
      ? encodeLike(conversation, members[list], bytes, document)
      : encodeLike({ ...members, [list]: conversation }, members, bytes, document)
  // A byte order mark, and the line feed that a text file ends with.
  return Buffer.concat([bytes.subarray(0, document.start), encoded, bytes.subarray(document.end)])
}

/** The machine-readable result, with the conversation, if there is one to write, in its own bytes. */
export function encodeResult(
  result: Readonly<Record<string, unknown>>,
  conversation?: { readonly list: ListMember; readonly bytes: Buffer },
): Buffer {
  const encoded = new Map(
    conversation === undefined ? [] : [[conversation.list, conversation.bytes] as const],
  )
  return Buffer.concat([encodeJsonWith(result, encoded), Buffer.from('\n')])
}

/** The conversation alone; what is untouched keeps its bytes. */
export function encodeConversation(
  { kind, bytes, members }: InputDocument,
  list: ListMember,
  conversation: JsonValue,
): Buffer {
  const source = createJsonSource(bytes, { elementsOf: list })
  const range = kind === 'list' ? source.document : source.member(list)
  if (range === undefined) return Buffer.from(JSON.stringify(conversation))
  return encodeLike(conversation, members[list], bytes, range)
}
