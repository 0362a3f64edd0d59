import type { JsonObject } from '../../engine/transcript.ts'
import { createEvidence, type Evidence } from '../evidence.ts'
import { isRecord } from '../json.ts'
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

const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system'])

const FOREIGN_MEMBERS = [...OPENAI_MEMBERS, ...NEUROLINK_MEMBERS]

/** The rules are those of docs/formats.md, section "Detection". */
export function findAnthropicEvidence(payload: JsonObject): readonly Evidence[] {
  const evidence = createEvidence()
  // The AI SDK has them there too.
  if (hasSystem(payload) && !isAiSdkPayload(payload)) {
    evidence.yes('instructions stand beside the messages', 'system')
  }
  if (payload.anthropic_version !== undefined) {
    evidence.yes('a member of this format only', 'anthropic_version')
  }
  const tool = firstTool(payload)
  if (isRecord(tool?.function))
    evidence.no('a tool in the form of a function', 'tools', 0, 'function')
  if (tool?.input_schema !== undefined) {
    evidence.yes('a tool with an input_schema', 'tools', 0, 'input_schema')
  }
  visitMessages(payload, {
    message: (message, index) => {
      if (!ROLES.has(message.role)) evidence.no('no role of this format', 'messages', index, 'role')
      else if (message.role === 'system' && index === 0) {
        evidence.no(
          'a system message stands before the first user message',
          'messages',
          index,
          'role',
        )
      }
      if (message.content === null) evidence.no('content is null', 'messages', index, 'content')
      if (message.type === 'message' && message.stop_reason !== undefined) {
        evidence.yes('a response of this format as it came', 'messages', index, 'stop_reason')
      }
      const foreign = present(message, FOREIGN_MEMBERS)
      if (foreign !== undefined)
        evidence.no('a member of another format', 'messages', index, foreign)
    },
    block: (block, type, index, position) => {
      if (isAnthropicBlock(block, type))
        evidence.yes('a block of this format only', 'messages', index, 'content', position, 'type')
      else if (isOpenaiBlock(block, type) || isAiSdkPart(type))
        evidence.no('a part of another format', 'messages', index, 'content', position, 'type')
    },
  })
  return evidence.list()
}
