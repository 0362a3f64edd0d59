import type { JsonObject } from '../../engine/transcript.ts'
import { createEvidence, type Evidence } from '../evidence.ts'
import { isArray, isRecord } from '../json.ts'
import {
  firstTool,
  hasSystem,
  isAiSdkPart,
  isAiSdkPayload,
  isAnthropicBlock,
  isOpenaiBlock,
  NEUROLINK_MEMBERS,
  OPENAI_MEMBERS,
  present,
  visitMessages,
} from '../message-evidence.ts'

const OWN_ROLES: ReadonlySet<unknown> = new Set(['tool', 'function', 'developer'])
const SHARED_ROLES: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant'])

/** The rules are those of docs/formats.md, section "Detection". */
export function findOpenaiChatEvidence(payload: JsonObject): readonly Evidence[] {
  const evidence = createEvidence()
  const isAiSdk = isAiSdkPayload(payload)
  if (hasSystem(payload)) evidence.no('instructions stand beside the messages', 'system')
  const tool = firstTool(payload)
  if (isRecord(tool?.function))
    evidence.yes('a tool in the form of a function', 'tools', 0, 'function')
  if (tool?.input_schema !== undefined) {
    evidence.no('a tool with an input_schema', 'tools', 0, 'input_schema')
  }
  if (isArray(payload.functions)) evidence.yes('functions of the first tool API', 'functions')
  visitMessages(payload, {
    message: (message, index) => {
      // The AI SDK has the role too; what it answers stands in its parts.
      const isShared = isAiSdk && message.role === 'tool' && message.tool_call_id === undefined
      if (OWN_ROLES.has(message.role) && !isShared)
        evidence.yes('a role of this format only', 'messages', index, 'role')
      else if (!isShared && !SHARED_ROLES.has(message.role))
        evidence.no('no role of this format', 'messages', index, 'role')
      const own = present(message, OPENAI_MEMBERS)
      if (own !== undefined) evidence.yes('a member of this format only', 'messages', index, own)
      const foreign = present(message, NEUROLINK_MEMBERS)
      if (foreign !== undefined)
        evidence.no('a member of another format', 'messages', index, foreign)
    },
    block: (block, type, index, position) => {
      if (isOpenaiBlock(block, type))
        evidence.yes('a part of this format only', 'messages', index, 'content', position, 'type')
      else if (isAnthropicBlock(block, type) || isAiSdkPart(type))
        evidence.no('a part of another format', 'messages', index, 'content', position, 'type')
    },
  })
  return evidence.list()
}
