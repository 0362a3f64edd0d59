import type { JsonObject } from '../../engine/transcript.ts'
import { createEvidence, type Evidence } from '../evidence.ts'
import { isArray, isRecord } from '../json.ts'
import {
  allMessagesHaveIds,
  firstTool,
  hasAiSdkSystem,
  hasSystem,
  isAiSdkPart,
  isAnthropicBlock,
  isOpenaiBlock,
  NEUROLINK_MEMBERS,
  OPENAI_MEMBERS,
  present,
  visitMessages,
} from '../message-evidence.ts'

const ROLES: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'tool'])

const FOREIGN_MEMBERS = [...OPENAI_MEMBERS, ...NEUROLINK_MEMBERS]

/** The rules are those of docs/formats.md, section "Detection". */
export function findAiSdkEvidence(payload: JsonObject): readonly Evidence[] {
  const evidence = createEvidence()
  /** Neurolink messages may hold the SDK's media parts, so that these say something only alone. */
  const shared = createEvidence()
  if (hasAiSdkSystem(payload)) evidence.yes('a system message beside the messages', 'system')
  else if (hasSystem(payload) && isArray(payload.system)) {
    evidence.no('instructions of another format', 'system')
  }
  const tool = firstTool(payload)
  if (isRecord(tool?.function))
    evidence.no('a tool in the form of a function', 'tools', 0, 'function')
  if (tool?.input_schema !== undefined) {
    evidence.no('a tool with an input_schema', 'tools', 0, 'input_schema')
  }
  visitMessages(payload, {
    message: (message, index) => {
      if (!ROLES.has(message.role)) evidence.no('no role of this format', 'messages', index, 'role')
      const isText = typeof message.content === 'string'
      if (!isArray(message.content) && (!isText || message.role === 'tool')) {
        evidence.no('no content of this format', 'messages', index, 'content')
      }
      if (isRecord(message.providerOptions)) {
        shared.yes('a member of this format only', 'messages', index, 'providerOptions')
      }
      const foreign = present(message, FOREIGN_MEMBERS)
      if (foreign !== undefined)
        evidence.no('a member of another format', 'messages', index, foreign)
    },
    block: (block, type, index, position) => {
      const at = ['messages', index, 'content', position] as const
      if (isAiSdkPart(type)) evidence.yes('a part of this format only', ...at, 'type')
      else if (isAnthropicBlock(block, type) || isOpenaiBlock(block, type)) {
        evidence.no('a part of another format', ...at, 'type')
      } else if (isSharedPart(block, type)) shared.yes('a part of this format', ...at, 'type')
    },
  })
  const found = evidence.list()
  const isAlone = found.every(({ verdict }) => verdict === 'yes') && !allMessagesHaveIds(payload)
  return isAlone ? [...found, ...shared.list()].slice(0, MAX_PIECES) : found
}

/** Most pieces of evidence of one verdict. */
const MAX_PIECES = 3

/** `image` or `file` in the SDK's own shape, or any part with options for its provider. */
function isSharedPart(block: JsonObject, type: string): boolean {
  if (isRecord(block.providerOptions)) return true
  if (type === 'image') return typeof block.image === 'string' || isRecord(block.image)
  return type === 'file' && block.data !== undefined && typeof block.mediaType === 'string'
}
