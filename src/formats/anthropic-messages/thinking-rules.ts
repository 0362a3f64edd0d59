import { isRecord, textMember } from '../json.ts'
import type { WireRule } from '../wire-rule.ts'
import { isThinking } from './blocks.ts'
import type { Context } from './rule-context.ts'
import { blockPointer, type Turn } from './turns.ts'

const THINKING_GUIDE = 'Anthropic, Extended thinking; enforced with a 400'

export const THINKING_RULES: readonly WireRule<Context>[] = [
  {
    id: 'thinking-sealed',
    source: `${THINKING_GUIDE}: blocks go back as they came, with their signature or data`,
    run: ({ turns }, report) => {
      for (const { blocks } of turns) {
        for (const block of blocks) {
          if (!isThinking(block.type)) continue
          const member = block.type === 'thinking' ? 'signature' : 'data'
          if (textMember(block.value, member) !== undefined) continue
          report(blockPointer(block), `has lost its ${member}`)
        }
      }
    },
  },
  {
    id: 'thinking-last',
    source: `${THINKING_GUIDE}: the final block of an assistant message cannot be thinking`,
    run: ({ turns }, report) => {
      for (const { role, blocks } of turns) {
        const last = blocks.at(-1)
        if (role !== 'assistant' || last === undefined || !isThinking(last.type)) continue
        report(blockPointer(last), 'must be followed by what was thought about')
      }
    },
  },
  {
    id: 'thinking-first',
    source: `${THINKING_GUIDE}: with thinking enabled, the turn that waits for tool results starts with it`,
    run: ({ payload, turns }, report) => {
      if (!isRecord(payload.thinking) || payload.thinking.type !== 'enabled') return
      const turn = turnOfOpenToolLoop(turns)
      const first = turn?.blocks[0]
      if (first === undefined || isThinking(first.type)) return
      report(blockPointer(first), 'must be preceded by the thinking that led to the tool use')
    },
  },
]

/** The last turn of the assistant, if it uses tools and only their results follow. */
function turnOfOpenToolLoop(turns: readonly Turn[]): Turn | undefined {
  let index = turns.length - 1
  const isAfter = (turn: Turn | undefined): boolean =>
    turn?.role === 'system' ||
    (turn?.role === 'user' && turn.blocks.every(({ type }) => type === 'tool_result'))
  while (index >= 0 && isAfter(turns[index])) index -= 1
  const turn = turns[index]
  const usesTools = turn?.blocks.some(({ type }) => type === 'tool_use') === true
  return turn?.role === 'assistant' && usesTools ? turn : undefined
}
