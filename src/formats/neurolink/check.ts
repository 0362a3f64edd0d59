import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import type { Violation } from '../adapter.ts'
import { itemsOf } from '../conversation-list.ts'
import { exchangeRule, type FaultyPlace } from '../exchange-rule.ts'
import { isArray, isRecord, pointer, textMember } from '../json.ts'
import { knownRoleRule } from '../known-role-rule.ts'
import { structureRule } from '../structure-rule.ts'
import { runRules, type WireRule } from '../wire-rule.ts'
import { type ExchangeFault, findExchangeFaults } from './exchanges.ts'

interface Context {
  readonly payload: JsonObject
  readonly messages: readonly JsonValue[]
  readonly exchanges: readonly FaultyPlace<ExchangeFault>[]
}

const TYPES = 'NeuroLink, types/conversation: ChatMessage'
const REPAIR = 'NeuroLink, context/toolPairRepair: batches of calls and results'

const ROLES: ReadonlySet<unknown> = new Set([
  'user',
  'assistant',
  'system',
  'tool_call',
  'tool_result',
])

const SPEAKERS: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system'])

const exchange = exchangeRule<ExchangeFault>

export const NEUROLINK_RULES: readonly WireRule<Context>[] = [
  structureRule('messages', TYPES),
  knownRoleRule('messages', TYPES, ROLES),
  {
    id: 'empty-content',
    source: `${TYPES}: only tool messages may have no text of their own`,
    run: ({ messages }, report) => {
      for (const [index, message] of messages.entries()) {
        if (!isRecord(message) || !SPEAKERS.has(message.role)) continue
        const { content } = message
        const isEmpty = isArray(content)
          ? content.length === 0
          : textMember(message, 'content') === undefined
        if (isEmpty) report(pointer('messages', index, 'content'), 'must not be empty')
      }
    },
  },
  {
    id: 'duplicate-message-id',
    source: `${TYPES}: id is unique`,
    run: ({ messages }, report) => {
      const seen = new Set<string>()
      for (const [index, message] of messages.entries()) {
        const id = isRecord(message) ? textMember(message, 'id') : undefined
        if (id === undefined) continue
        if (seen.has(id))
          report(pointer('messages', index, 'id'), 'is the id of an earlier message')
        seen.add(id)
      }
    },
  },
  exchange('call-without-result', REPAIR, 'has no result in its batch'),
  exchange('result-without-call', REPAIR, 'has no call in its batch or before it'),
  exchange('result-misplaced', REPAIR, 'does not stand in the batch of the call that it answers'),
  exchange('duplicate-result', REPAIR, 'answers a call that has its result already'),
  exchange('duplicate-call-id', REPAIR, 'has the toolCallId of another call of its batch'),
]

/** Violations of the rules above. Shallow, total on any payload, and independent of `read`. */
export function checkNeurolink(payload: JsonObject): readonly Violation[] {
  const messages = itemsOf(payload, 'messages')
  const exchanges = findExchangeFaults(messages)
  return runRules(NEUROLINK_RULES, { payload, messages, exchanges })
}
