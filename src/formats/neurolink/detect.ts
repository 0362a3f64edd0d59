import type { JsonObject } from '../../engine/transcript.ts'
import { createEvidence, type Evidence } from '../evidence.ts'
import { isArray, isRecord } from '../json.ts'
import {
  firstTool,
  hasSystem,
  isAiSdkPart,
  isAnthropicBlock,
  NEUROLINK_MEMBERS,
  OPENAI_MEMBERS,
  present,
  visitMessages,
} from '../message-evidence.ts'

const OWN_ROLES: ReadonlySet<unknown> = new Set(['tool_call', 'tool_result'])
const SHARED_ROLES: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant'])

const OWN_METADATA = [
  'isSummary',
  'isSkill',
  'summarizesFrom',
  'summarizesTo',
  'stepIndex',
] as const

/** The rules are those of docs/formats.md, section "Detection". */
export function findNeurolinkEvidence(payload: JsonObject): readonly Evidence[] {
  const evidence = createEvidence()
  if (hasSystem(payload)) evidence.no('instructions stand beside the messages', 'system')
  const tool = firstTool(payload)
  if (isRecord(tool?.function))
    evidence.no('a tool in the form of a function', 'tools', 0, 'function')
  if (tool?.input_schema !== undefined) {
    evidence.no('a tool with an input_schema', 'tools', 0, 'input_schema')
  }
  visitMessages(payload, {
    message: (message, index) => {
      if (OWN_ROLES.has(message.role))
        evidence.yes('a role of this format only', 'messages', index, 'role')
      else if (!SHARED_ROLES.has(message.role))
        evidence.no('no role of this format', 'messages', index, 'role')
      const own = ownMember(message)
      if (own !== undefined) evidence.yes('a member of this format only', 'messages', index, ...own)
      const foreign = present(message, OPENAI_MEMBERS)
      if (foreign !== undefined)
        evidence.no('a member of another format', 'messages', index, foreign)
    },
    block: (block, type, index, position) => {
      if (isAnthropicBlock(block, type) || isAiSdkPart(type))
        evidence.no('a block of another format', 'messages', index, 'content', position, 'type')
    },
  })
  return evidence.list()
}

/** The path of a member inside the message. */
function ownMember(message: JsonObject): readonly string[] | undefined {
  const own = present(message, NEUROLINK_MEMBERS)
  if (own !== undefined) return [own]
  if (isRecord(message.args)) return ['args']
  if (isArray(message.events)) return ['events']
  const { metadata, id, timestamp } = message
  const member = isRecord(metadata) ? present(metadata, OWN_METADATA) : undefined
  if (member !== undefined) return ['metadata', member]
  return typeof id === 'string' && typeof timestamp === 'string' ? ['timestamp'] : undefined
}
