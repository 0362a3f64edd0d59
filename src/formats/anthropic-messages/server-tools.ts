import type { JsonValue } from '../../engine/transcript.ts'
import { opaquePart } from '../content-parts.ts'
import type { DraftPart } from '../draft.ts'
import { isArray, isRecord, jsonText, textMember } from '../json.ts'
import type { Block, Reading } from '../reading.ts'
import { isServerCall } from './blocks.ts'

/** Most characters of what a tool at the provider found that are shown to a model. */
const MOST_SHOWN = 20_000

/** Members of results in which something can be read; all others are ids, numbers or encrypted. */
const READABLE: ReadonlySet<string> = new Set([
  'title',
  'url',
  'text',
  'stdout',
  'stderr',
  'error_code',
  'tool_name',
])

/**
 * A call of a tool that runs at the provider, or its result. Never rewritten: the provider wrote
 * both. What can be read of them is shown, so that a summary can say what was found.
 */
export function serverToolPart(block: Block, reading: Reading): DraftPart {
  const part = opaquePart(block.type, block, reading)
  const shown = isServerCall(block.type)
    ? `${textMember(block, 'name') ?? ''}(${jsonText(block.input)})`
    : readable(block.content ?? null, []).join('\n')
  if (shown === '') return part
  const cut = shown.slice(0, MOST_SHOWN).replace(/[\ud800-\udbff]$/, '')
  return { ...part, text: `${part.text} ${cut}` }
}

/** Depth is bounded by the reader, so that recursion is safe. */
function readable(value: JsonValue, texts: string[]): string[] {
  if (isArray(value)) {
    for (const item of value) readable(item, texts)
  } else if (isRecord(value)) {
    for (const [name, member] of Object.entries(value)) {
      if (typeof member !== 'string') readable(member, texts)
      else if (member !== '' && READABLE.has(name)) texts.push(member)
    }
  }
  return texts
}
