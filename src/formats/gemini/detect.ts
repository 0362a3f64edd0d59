import type { JsonObject } from '../../engine/transcript.ts'
import { itemsOf } from '../conversation-list.ts'
import { createEvidence, type Evidence } from '../evidence.ts'
import { isArray, isRecord } from '../json.ts'
import { firstTool } from '../message-evidence.ts'
import { eitherMember } from './members.ts'

/** Roles of messages in all other formats, and in none of this one's contents. */
const FOREIGN_ROLES: ReadonlySet<unknown> = new Set(['assistant', 'system', 'developer', 'tool'])

/** The rules are those of docs/formats.md, section "Detection". */
export function findGeminiEvidence(payload: JsonObject): readonly Evidence[] {
  const evidence = createEvidence()
  for (const name of ['systemInstruction', 'system_instruction']) {
    if (payload[name] !== undefined) evidence.yes('a member of this format only', name)
  }
  const tool = firstTool(payload)
  if (tool !== undefined && eitherMember(tool, 'functionDeclarations', 'function_declarations')) {
    evidence.yes('a tool that declares functions', 'tools', 0)
  }
  const contents = itemsOf(payload, 'contents')
  for (const [index, content] of contents.entries()) {
    if (!isRecord(content)) continue
    if (content.role === 'model')
      evidence.yes('a role of this format only', 'contents', index, 'role')
    if (FOREIGN_ROLES.has(content.role)) {
      evidence.no('no role of this format', 'contents', index, 'role')
    }
    if (isArray(content.parts)) {
      evidence.yes('parts, as only this format has', 'contents', index, 'parts')
    }
    if (content.content !== undefined && content.parts === undefined) {
      evidence.no('a member of another format', 'contents', index, 'content')
    }
  }
  return evidence.list()
}
