import type { Mutation } from './broken.ts'
import { breakAiSdkExchange } from './broken-ai-sdk-exchanges.ts'
import { contentBlocks, insertAt, replaceAt } from './splice.ts'
import type { JsonObject } from './types.ts'

/** No object; JSON.parse, as no conversation of objects could hold it otherwise. */
const STRAY: JsonObject = JSON.parse('"stray"')

const THOUGHT = { type: 'reasoning', text: 'Compare both.' }

/** Every single change that this file knows to break a conversation of ModelMessages. */
export function breakAiSdk(messages: readonly JsonObject[]): Mutation[] {
  return [
    {
      name: 'structure',
      write: () => insertAt(messages, 0, STRAY),
      faults: [{ rule: 'structure', pointer: '/messages/0' }],
    },
    ...messages.flatMap((message, index) => [
      ...breakRequest(messages, message, index),
      ...breakAnswer(messages, message, index),
      ...breakAiSdkExchange(messages, index),
    ]),
  ]
}

function blocksOf({ content }: JsonObject): JsonObject[] {
  return typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : contentBlocks({ content })
}

function breakRequest(
  messages: readonly JsonObject[],
  message: JsonObject,
  index: number,
): Mutation[] {
  if (message.role !== 'user') return []
  const at = `/messages/${index}/content`
  const blocks = blocksOf(message)
  const change = (content: unknown) => () => replaceAt(messages, index, { ...message, content })
  const empty = ['', [], [{ type: 'text', text: '' }]]
  return [
    {
      name: 'content-shape',
      write: change(index % 2 === 0 ? { type: 'text', text: 'Hello.' } : null),
      faults: [{ rule: 'content-shape', pointer: at }],
    },
    {
      name: 'empty-content',
      write: change(empty[index % empty.length]),
      faults: [{ rule: 'empty-content', pointer: at }],
    },
    {
      name: 'part-role',
      write: change([...blocks, THOUGHT]),
      faults: [{ rule: 'part-role', pointer: `${at}/${blocks.length}` }],
    },
  ]
}

/** Answers without calls of the caller's own tools: a message may be put behind them. */
function breakAnswer(
  messages: readonly JsonObject[],
  message: JsonObject,
  index: number,
): Mutation[] {
  const blocks = blocksOf(message)
  const isCall = (block: JsonObject) =>
    block.type === 'tool-call' && block.providerExecuted !== true
  if (message.role !== 'assistant' || blocks.some(isCall)) return []
  const behind = (role: string, block: JsonObject) => () =>
    insertAt(messages, index + 1, { role, content: [block] })
  const behindPointer = `/messages/${index + 1}/content/0`
  const stray = { toolCallId: 'call_nobody', approvalId: 'approval_nobody' }
  const output = { type: 'text', value: 'stray' }
  return [
    {
      name: 'known-role',
      write: () => replaceAt(messages, index, { ...message, role: 'model', content: 'Hello.' }),
      faults: [{ rule: 'known-role', pointer: `/messages/${index}/role` }],
    },
    {
      name: 'reasoning-alone',
      write: behind('assistant', THOUGHT),
      faults: [{ rule: 'reasoning-alone', pointer: `/messages/${index + 1}` }],
    },
    {
      name: 'approval-without-call',
      write: () =>
        replaceAt(messages, index, {
          ...message,
          content: [...blocks, { type: 'tool-approval-request', ...stray }],
        }),
      faults: [
        {
          rule: 'approval-without-call',
          pointer: `/messages/${index}/content/${blocks.length}`,
        },
      ],
    },
    {
      name: 'approval-without-request',
      write: behind('tool', { type: 'tool-approval-response', ...stray, approved: true }),
      faults: [{ rule: 'approval-without-request', pointer: behindPointer }],
    },
    {
      name: 'result-without-call',
      write: behind('tool', { type: 'tool-result', ...stray, toolName: 'nobody', output }),
      faults: [{ rule: 'result-without-call', pointer: behindPointer }],
    },
  ]
}
