import type { Mutation } from './broken.ts'
import { TINY_PNG } from './media.ts'
import { contentBlocks, replaceAt, toolCallsOf } from './splice.ts'
import type { JsonObject } from './types.ts'

const IMAGE = { type: 'image_url', image_url: { url: `data:image/png;base64,${TINY_PNG}` } }
const AUDIO = { type: 'input_audio', input_audio: { data: 'YQ==', format: 'wav' } }
const FILE = { type: 'file', file: { file_id: 'file-1' } }
const REFUSAL = { type: 'refusal', refusal: 'No.' }

/** A part of which only other roles may be the author, behind those that are there. */
export function breakOpenaiParts(
  messages: readonly JsonObject[],
  message: JsonObject,
  index: number,
): Mutation[] {
  const { role, content } = message
  const isText = typeof content === 'string' && content !== ''
  if (role === 'function' || (!isText && !Array.isArray(content))) return []
  const parts = isText ? [{ type: 'text', text: content }] : contentBlocks(message)
  const media = [IMAGE, AUDIO, FILE]
  const foreign = role === 'user' || index % 4 === 3 ? REFUSAL : media[index % 3]
  const stray = role === 'assistant' && foreign === REFUSAL ? IMAGE : foreign
  return [
    {
      name: 'part-role',
      write: () => replaceAt(messages, index, { ...message, content: [...parts, stray] }),
      faults: [{ rule: 'part-role', pointer: `/messages/${index}/content/${parts.length}` }],
    },
  ]
}

const SPEAKER_NAMES = ['Ada Lovelace', 'ada<1>', 'a|b', 'a\\b', 'a/b', '']
const TOOL_NAMES = ['get weather', 'weather.get', 'wetter_für', '']

export function breakOpenaiNames(
  messages: readonly JsonObject[],
  message: JsonObject,
  index: number,
): Mutation[] {
  const speaks = message.role !== 'tool' && message.role !== 'function'
  const name = SPEAKER_NAMES[index % SPEAKER_NAMES.length]
  const mutations: Mutation[] = speaks
    ? [
        {
          name: 'speaker-name',
          write: () => replaceAt(messages, index, { ...message, name }),
          faults: [{ rule: 'speaker-name', pointer: `/messages/${index}/name` }],
        },
      ]
    : []
  const calls = toolCallsOf(message)
  const last = calls.length - 1
  const call = calls[last]
  if (call === undefined) return mutations
  const renamed = { ...call, function: { name: TOOL_NAMES[index % 4], arguments: '{}' } }
  return [
    ...mutations,
    {
      name: 'tool-name',
      write: () =>
        replaceAt(messages, index, { ...message, tool_calls: replaceAt(calls, last, renamed) }),
      faults: [{ rule: 'tool-name', pointer: `/messages/${index}/tool_calls/${last}` }],
    },
  ]
}
