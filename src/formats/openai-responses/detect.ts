import type { JsonObject } from '../../engine/transcript.ts'
import { itemsOf } from '../conversation-list.ts'
import { createEvidence, type Evidence } from '../evidence.ts'
import { isArray, isRecord } from '../json.ts'
import { firstTool, hasSystem, OPENAI_MEMBERS, present } from '../message-evidence.ts'

/** Parts of a message that only this format has. `input_audio` is Chat Completions' too. */
const OWN_PARTS: ReadonlySet<unknown> = new Set([
  'input_text',
  'output_text',
  'input_image',
  'input_file',
  'summary_text',
])

const OWN_ITEMS: ReadonlySet<unknown> = new Set([
  'reasoning',
  'item_reference',
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_approval_response',
  'tool_search_output',
  'program',
  'program_output',
  'compaction',
  'compaction_summary',
  'compaction_trigger',
  'additional_tools',
  'configuration_update',
])

const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system', 'developer'])

/** The rules are those of docs/formats.md, section "Detection". */
export function findOpenaiResponsesEvidence(payload: JsonObject): readonly Evidence[] {
  const evidence = createEvidence()
  if (typeof payload.input === 'string') evidence.yes('the conversation is a text', 'input')
  if (typeof payload.instructions === 'string') {
    evidence.yes('instructions stand beside the input', 'instructions')
  }
  if (hasSystem(payload)) evidence.no('a system prompt of another format', 'system')
  const tool = firstTool(payload)
  if (isRecord(tool?.function)) {
    evidence.no('a tool in the form of another format', 'tools', 0, 'function')
  } else if (typeof tool?.type === 'string' && tool.input_schema === undefined) {
    evidence.yes('a tool with its type beside its other members', 'tools', 0, 'type')
  } else if (tool?.input_schema !== undefined) {
    evidence.no('a tool in the form of another format', 'tools', 0, 'input_schema')
  }
  if (typeof payload.input === 'string') return evidence.list()
  for (const [index, item] of itemsOf(payload, 'input').entries()) {
    if (!isRecord(item)) continue
    if (isOwnItem(item)) evidence.yes('an item of this format only', 'input', index, 'type')
    else if (item.role !== undefined && !ROLES.has(item.role)) {
      evidence.no('no role of this format', 'input', index, 'role')
    }
    const foreign = present(item, OPENAI_MEMBERS)
    if (foreign !== undefined) evidence.no('a member of another format', 'input', index, foreign)
    if (!isArray(item.content)) continue
    for (const [position, part] of item.content.entries()) {
      if (!isRecord(part) || !OWN_PARTS.has(part.type)) continue
      evidence.yes('a part of this format only', 'input', index, 'content', position, 'type')
    }
  }
  return evidence.list()
}

/** Calls and their outputs end alike, also those that nobody here knows. */
function isOwnItem({ type }: JsonObject): boolean {
  return typeof type === 'string' && (OWN_ITEMS.has(type) || /_call(?:_output)?$/.test(type))
}
