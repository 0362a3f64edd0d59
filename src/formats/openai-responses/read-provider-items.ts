/** Items that the provider made and that go back as they came. */
import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import { opaquePart, sealedPart } from '../content-parts.ts'
import type { DraftPart } from '../draft.ts'
import { isArray, isRecord, textMember } from '../json.ts'
import { countEncrypted } from '../media/count-media.ts'
import type { Reading } from '../reading.ts'

/** Most characters of what a tool at the provider found that are shown to a model. */
const MOST_SHOWN = 20_000

/**
 * Its summary and what it says in the clear, as far as it does; else its encrypted text counts. Of
 * reasoning that is stored at the provider only the id is there.
 */
export function reasoningPart(item: JsonObject, { context }: Reading): DraftPart {
  const summary = textsOf(item.summary)
  const content = textsOf(item.content)
  const text = [...summary, ...content].join('\n')
  const sealed = textMember(item, 'encrypted_content')
  const hidden = sealed === undefined || content.length > 0 ? 0 : countEncrypted(sealed)
  if (text === '') return sealedPart('reasoning', hidden)
  return { kind: 'reasoning', text, tokens: context.countTokens(text) + hidden, rewritable: false }
}

export function compactionPart(type: string, item: JsonObject): DraftPart {
  const tokens = countEncrypted(textMember(item, 'encrypted_content') ?? '')
  return { kind: 'opaque', text: `[${type}]`, tokens, rewritable: false }
}

/** Shows what the item is about, where it says so in few members. */
export function providerPart(type: string, item: JsonObject, reading: Reading): DraftPart {
  const part = opaquePart(type, item, reading)
  const shown = shownBy(type, item)
    .filter((text) => text !== undefined && text !== '')
    .join('\n')
    .slice(0, MOST_SHOWN)
    .replace(/[\ud800-\udbff]$/, '')
  if (shown !== '') part.text = `${part.text} ${shown}`
  return part
}

function shownBy(type: string, item: JsonObject): (string | undefined)[] {
  switch (type) {
    case 'web_search_call':
      return isRecord(item.action)
        ? ['query', 'url', 'pattern'].map((name) => textMember(item.action as JsonObject, name))
        : []
    case 'file_search_call':
      return [...stringsOf(item.queries), ...membersOf(item.results, 'text')]
    case 'code_interpreter_call':
      return [textMember(item, 'code'), ...membersOf(item.outputs, 'logs')]
    case 'image_generation_call':
      return [textMember(item, 'revised_prompt')]
    case 'mcp_call':
      return ['name', 'arguments', 'output'].map((name) => textMember(item, name))
    case 'mcp_list_tools':
      return [textMember(item, 'server_label'), ...membersOf(item.tools, 'name')]
    default:
      return []
  }
}

function textsOf(value: JsonValue | undefined): string[] {
  return membersOf(value, 'text').filter((text) => text !== undefined)
}

function membersOf(value: JsonValue | undefined, name: string): (string | undefined)[] {
  if (!isArray(value)) return []
  return value.map((item) => (isRecord(item) ? textMember(item, name) : undefined))
}

function stringsOf(value: JsonValue | undefined): string[] {
  return isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
