import { textMember } from '../json.ts'
import type { WireRule } from '../wire-rule.ts'
import type { Context } from './rule-context.ts'
import { blockPointer } from './turns.ts'

const CLIENT_TOOL = /^[a-zA-Z0-9_-]+$/

/** Blocks whose ids have a pattern: the member that holds the id, and the pattern. */
const PATTERNS: ReadonlyMap<string, readonly [member: string, pattern: RegExp]> = new Map([
  ['tool_use', ['id', CLIENT_TOOL]],
  ['tool_result', ['tool_use_id', CLIENT_TOOL]],
  ['server_tool_use', ['id', /^srvtoolu_[a-zA-Z0-9_]+$/]],
])

/** Ids of other providers come in when a conversation moves to Claude. */
export const CALL_ID_RULE: WireRule<Context> = {
  id: 'call-id',
  source:
    'Anthropic API reference, Create a message, ids of tool use; enforced with a 400 ' +
    '(cc-switch issue 1181, bifrost issue 5097, claude-code-hub issue 470)',
  run: ({ turns }, report) => {
    for (const { blocks } of turns) {
      for (const block of blocks) {
        const [member, pattern] = PATTERNS.get(block.type) ?? []
        if (member === undefined || pattern === undefined) continue
        const id = textMember(block.value, member)
        if (id !== undefined && pattern.test(id)) continue
        report(`${blockPointer(block)}/${member}`, `must match ${pattern.source}`)
      }
    }
  },
}
