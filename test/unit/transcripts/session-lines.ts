import {
  type ByteSource,
  createBufferSource,
} from '../../../src/transcripts/claude-code/byte-source.ts'

type Content = string | readonly Record<string, unknown>[]

export interface RecordOptions {
  readonly parent?: string | null
  readonly sidechain?: boolean
  /** Members of the record besides. */
  readonly more?: Record<string, unknown>
}

export function record(type: string, uuid: string, options: RecordOptions = {}): string {
  const { parent = null, sidechain = false, more = {} } = options
  return JSON.stringify({
    parentUuid: parent,
    isSidechain: sidechain,
    sessionId: 's',
    type,
    ...more,
    uuid,
  })
}

export function user(uuid: string, parent: string | null, content: Content, more = {}): string {
  return record('user', uuid, { parent, more: { message: { role: 'user', content }, ...more } })
}

/** One record of an API message; `id` is the message's. */
export function assistant(
  uuid: string,
  parent: string | null,
  id: string,
  block: Record<string, unknown>,
  more = {},
): string {
  return record('assistant', uuid, {
    parent,
    more: {
      message: {
        model: 'claude-opus-4-6',
        id,
        type: 'message',
        role: 'assistant',
        content: [block],
        usage: { input_tokens: 1 },
      },
      ...more,
    },
  })
}

export const text = (words: string) => ({ type: 'text', text: words })

export const call = (id: string, name = 'Read') => ({
  type: 'tool_use',
  id,
  name,
  input: { path: id },
})

export const result = (id: string, content = `result of ${id}`) => [
  { tool_use_id: id, type: 'tool_result', content },
]

export const boundary = (uuid: string, metadata: Record<string, unknown> = {}) =>
  record('system', uuid, {
    more: {
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      compactMetadata: { trigger: 'auto', ...metadata },
    },
  })

export const summary = (uuid: string, parent: string | null, words = 'the summary') =>
  user(uuid, parent, words, { isCompactSummary: true, isVisibleInTranscriptOnly: true })

/** The bytes of the lines in pieces of so many bytes, as a file may come. */
export function sourceOf(lines: readonly string[], pieceBytes?: number): ByteSource {
  return pieces(Buffer.from(`${lines.join('\n')}\n`), pieceBytes)
}

export function pieces(bytes: Buffer, pieceBytes = bytes.length): ByteSource {
  return {
    ...createBufferSource(bytes),
    chunks: async function* () {
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        yield bytes.subarray(at, at + pieceBytes)
      }
    },
  }
}
