import type { Mutation } from './broken.ts'
import { contentBlocks, replaceAt } from './splice.ts'
import type { JsonObject } from './types.ts'

/** Ids that both sides share, and that the API refuses to read. */
export function breakAnthropicIds(
  messages: readonly JsonObject[],
  message: JsonObject,
  index: number,
): Mutation[] {
  return [...breakClientId(messages, message, index), ...breakServerId(messages, message, index)]
}

function breakClientId(
  messages: readonly JsonObject[],
  asking: JsonObject,
  index: number,
): Mutation[] {
  const answering = messages[index + 1]
  const calls = contentBlocks(asking)
  const call = calls.findIndex(({ type }) => type === 'tool_use')
  const results = contentBlocks(answering)
  const result = results.findIndex(({ tool_use_id: id }) => id === calls[call]?.id)
  if (call < 0 || result < 0 || answering === undefined) return []
  const id = ['functions.read:0', 'call 1', 'appel_é'][index % 3]
  const renamedCalls = replaceAt(calls, call, { ...calls[call], id })
  const renamedResults = replaceAt(results, result, { ...results[result], tool_use_id: id })
  return [
    {
      name: 'call-id',
      write: () =>
        replaceAt(replaceAt(messages, index, { ...asking, content: renamedCalls }), index + 1, {
          ...answering,
          content: renamedResults,
        }),
      faults: [
        { rule: 'call-id', pointer: `/messages/${index}/content/${call}` },
        { rule: 'call-id', pointer: `/messages/${index + 1}/content/${result}` },
      ],
    },
  ]
}

function breakServerId(
  messages: readonly JsonObject[],
  message: JsonObject,
  index: number,
): Mutation[] {
  const blocks = contentBlocks(message)
  const call = blocks.findIndex(({ type }) => type === 'server_tool_use')
  if (call < 0) return []
  const asked = blocks[call]?.id
  const id = index % 2 === 0 ? 'toolu_1' : 'srvtoolu_1-2'
  const content = blocks.map((block) => {
    if (block.id === asked) return { ...block, id }
    return block.tool_use_id === asked ? { ...block, tool_use_id: id } : block
  })
  return [
    {
      name: 'server-call-id',
      write: () => replaceAt(messages, index, { ...message, content }),
      faults: [{ rule: 'call-id', pointer: `/messages/${index}/content/${call}` }],
    },
  ]
}
