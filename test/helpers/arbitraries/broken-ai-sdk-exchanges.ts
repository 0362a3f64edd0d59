import type { Mutation } from './broken.ts'
import { contentBlocks, insertAt, removeAt, replaceAt } from './splice.ts'
import type { JsonObject } from './types.ts'

/** Ways to break the calls of the message that the results of this tool message answer. */
export function breakAiSdkExchange(messages: readonly JsonObject[], index: number): Mutation[] {
  const answering = messages[index]
  const asked = messages.findLastIndex(
    (message, position) => position < index && message.role === 'assistant',
  )
  const blocks = contentBlocks(answering)
  const position = blocks.findLastIndex(({ type }) => type === 'tool-result')
  const result = blocks[position]
  if (answering?.role !== 'tool' || result === undefined) return []
  const asking = contentBlocks(messages[asked])
  const call = asking.findIndex(
    ({ type, toolCallId }) => type === 'tool-call' && toolCallId === result.toolCallId,
  )
  const change = (content: JsonObject[]) => replaceAt(messages, index, { ...answering, content })
  const without = () =>
    blocks.length === 1 ? removeAt(messages, index) : change(removeAt(blocks, position))
  const { output, ...bare } = result
  const at = `/messages/${index}/content/${position}`
  const alone = { role: 'tool', content: [result] }
  const mutations: Mutation[] = [
    {
      name: 'result-output',
      write: () =>
        change(
          replaceAt(
            blocks,
            position,
            index % 2 === 0 ? { ...bare, result: output } : { ...bare, output: { type: 'image' } },
          ),
        ),
      faults: [{ rule: 'result-output', pointer: at }],
    },
    {
      name: 'duplicate-result',
      write: () => insertAt(messages, index + 1, alone),
      faults: [{ rule: 'duplicate-result', pointer: `/messages/${index + 1}/content/0` }],
    },
    {
      name: 'duplicate-call-id',
      write: () => {
        const again = { role: 'assistant', content: [asking[call] ?? {}] }
        return insertAt(insertAt(messages, index + 1, again), index + 2, alone)
      },
      faults: [{ rule: 'duplicate-call-id', pointer: `/messages/${index + 1}/content/0` }],
    },
  ]
  const closing = messages.findIndex(
    ({ role }, later) => later > index && (role === 'user' || role === 'system'),
  )
  // While nobody has spoken since, a lost result leaves its call pending, which is allowed.
  if (closing < 0) return mutations
  const missing = { rule: 'call-without-result', pointer: `/messages/${asked}/content/${call}` }
  const shift = blocks.length === 1 ? 0 : 1
  return [
    ...mutations,
    { name: 'call-without-result', write: without, faults: [missing] },
    {
      name: 'result-misplaced',
      write: () => insertAt(without(), closing + shift, alone),
      faults: [
        { rule: 'result-misplaced', pointer: `/messages/${closing + shift}/content/0` },
        missing,
      ],
    },
  ]
}
