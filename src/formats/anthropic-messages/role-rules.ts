import { pointer } from '../json.ts'
import { knownRoleRule } from '../known-role-rule.ts'
import type { WireRule } from '../wire-rule.ts'
import { isCompaction, isServerCall, isServerResult, isThinking } from './blocks.ts'
import type { Context } from './rule-context.ts'
import { blockPointer, type Turn } from './turns.ts'

const API_REFERENCE = 'Anthropic API reference, Create a message, messages'
const SYSTEM_GUIDE = 'Anthropic, Mid-conversation system messages; enforced with a 400'

const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system'])

/** All that system messages between the turns may hold (SDK types, `BetaSystemMessageParam`). */
const SYSTEM_BLOCKS: ReadonlySet<string> = new Set(['text', 'tool_addition', 'tool_removal'])

/** Blocks and the only role whose turns may hold them. */
function roleOf(type: string): Turn['role'] | undefined {
  if (type === 'tool_result') return 'user'
  const isAssistants =
    type === 'tool_use' || isThinking(type) || isServerCall(type) || isServerResult(type)
  return isAssistants ? 'assistant' : undefined
}

export const ROLE_RULES: readonly WireRule<Context>[] = [
  knownRoleRule('messages', API_REFERENCE, ROLES),
  {
    id: 'first-role',
    source: `${API_REFERENCE}: the first message is the user's, or a compaction`,
    run: ({ turns }, report) => {
      const [first] = turns
      const opening = first?.blocks[0]
      if (opening !== undefined && isCompaction(opening.value)) return
      if (first?.role === 'assistant') {
        report(pointer('messages', first.firstMessage, 'role'), 'must be user')
      }
    },
  },
  {
    id: 'system-placement',
    source: SYSTEM_GUIDE,
    run: ({ turns }, report) => {
      for (const [index, turn] of turns.entries()) {
        if (turn.role !== 'system' || turn.isDirective) continue
        if (!mayPrecedeSystem(turns[index - 1])) {
          const at = pointer('messages', turn.firstMessage)
          report(at, 'must follow a user message or the result of a server tool')
        } else if (turns[index + 1]?.role === 'user') {
          const at = pointer('messages', turn.lastMessage)
          report(at, 'must precede an assistant message or end the conversation')
        }
      }
    },
  },
  {
    id: 'block-role',
    source: `${API_REFERENCE}: content blocks by role`,
    run: ({ turns }, report) => {
      for (const { role, blocks } of turns) {
        for (const block of blocks) {
          const only = roleOf(block.type)
          if (role === 'system' && !SYSTEM_BLOCKS.has(block.type)) {
            report(blockPointer(block), 'may not stand in system messages')
          } else if (only !== undefined && only !== role) {
            report(blockPointer(block), `may stand in ${only} messages only`)
          }
        }
      }
    },
  },
]

function mayPrecedeSystem(turn: Turn | undefined): boolean {
  if (turn === undefined) return false
  return turn.role === 'user' || isServerResult(turn.blocks.at(-1)?.type ?? '')
}
