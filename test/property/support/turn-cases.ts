import type { ConversationPayload } from '../../helpers/arbitraries/index.ts'

const user = (content: unknown = 'Hello.') => ({ role: 'user', content })
const assistant = (content: unknown = 'Hi.') => ({ role: 'assistant', content })
const system = (content: unknown = 'Be brief.') => ({ role: 'system', content })
const setting = { role: 'system', content: [], output_config: { effort: 'low' } }
const use = (id: string) => ({ type: 'tool_use', id, name: 'weather', input: {} })
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: '15 degrees' })
const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }
const found = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }
const compaction = (content: unknown) => ({ type: 'compaction', content })
const blank = { type: 'text', text: ' ' }

interface TurnCase {
  readonly title: string
  readonly payload: ConversationPayload
  /** As `sharedFaults` writes them. */
  readonly faults: readonly string[]
}

const turns = (title: string, messages: object[], ...faults: string[]): TurnCase => ({
  title,
  payload: { messages } as unknown as ConversationPayload,
  faults,
})

/**
 * Conversations of Anthropic's messages that the generators do not write: turns of several messages,
 * instructions among them, and compactions.
 */
export const TURN_CASES: readonly TurnCase[] = [
  turns('results in two messages', [
    user(),
    assistant([use('a'), use('b')]),
    user([result('a')]),
    user([result('b')]),
    assistant(),
  ]),
  turns('calls in two messages', [
    user(),
    assistant([use('a')]),
    assistant([use('b')]),
    user([result('a'), result('b')]),
  ]),
  turns(
    'a result behind text of another message',
    [user(), assistant([use('a')]), user('Here:'), user([result('a')]), assistant()],
    'results-first /messages/3',
  ),
  turns(
    'a result again in the next message',
    [user(), assistant([use('a')]), user([result('a')]), user([result('a')]), assistant()],
    'duplicate-result /messages/3',
  ),
  turns(
    'a turn that talks on before all results are there',
    [user(), assistant([use('a'), use('b')]), user([result('a')]), user()],
    'call-without-result /messages/1',
  ),
  turns('instructions between a request and its answer', [user(), system(), assistant(), user()]),
  turns('instructions in a group', [user(), system(), system(), assistant(), user(), system()]),
  turns('instructions behind the result of a server tool', [
    user(),
    assistant([search, found]),
    system(),
    assistant(),
    user(),
  ]),
  turns(
    'instructions between a call and its result',
    [user(), assistant([use('a')]), system(), user([result('a')]), assistant()],
    'system-placement /messages/2',
  ),
  turns(
    'instructions between two answers',
    [user(), assistant(), system(), assistant(), user()],
    'system-placement /messages/2',
  ),
  turns('settings anywhere', [
    setting,
    user(),
    assistant([use('a')]),
    setting,
    user([result('a')]),
    setting,
    system(),
    assistant(),
    setting,
  ]),
  turns('a compaction before all', [assistant([compaction('So far.')]), user(), assistant()]),
  turns(
    'an answer before all that a compaction ends',
    [assistant([{ type: 'text', text: 'Hi.' }, compaction('So far.')]), user()],
    'first-role /messages/0',
  ),
  turns('a failed compaction', [user(), assistant([compaction(null), use('a')])]),
  turns(
    'an empty summary',
    [user(), assistant([compaction(''), use('a')])],
    'empty-text /messages/1',
  ),
  {
    title: 'a blank block of the system prompt',
    payload: { system: [blank], messages: [user()] } as unknown as ConversationPayload,
    faults: ['empty-text the conversation'],
  },
]
