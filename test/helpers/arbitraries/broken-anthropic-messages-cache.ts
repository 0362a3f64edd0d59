import type { Mutation } from './broken.ts'
import { contentBlocks, replaceAt } from './splice.ts'
import type { JsonObject } from './types.ts'

const MAX_BREAKPOINTS = 4

/** Breakpoints that the API refuses, in a conversation whose own are all of five minutes. */
export function breakAnthropicCache(
  messages: readonly JsonObject[],
  payload: JsonObject,
): Mutation[] {
  const total = countBreakpoints(payload)
  const isMarked = Object.hasOwn(payload, 'cache_control')
  return [
    ...messages.flatMap((message, index) => {
      const later = countBreakpoints(messages.slice(index + 1))
      return [
        ...(later === 0 && !isMarked ? breakRequest(messages, message, index, total) : []),
        ...(total < MAX_BREAKPOINTS ? breakThinking(messages, message, index) : []),
      ]
    }),
    ...(isMarked || total > 0 ? [] : breakWholeRequest(messages)),
  ]
}

/** A breakpoint of the request itself, in a conversation that has none. */
function breakWholeRequest(messages: readonly JsonObject[]): Mutation[] {
  const index = messages.length - 1
  const message = messages[index]
  const blocks = message === undefined ? undefined : plainBlocks(message)
  const last = blocks?.at(-1)
  if (message === undefined || blocks === undefined || last === undefined) return []
  const change = (content: readonly JsonObject[]) => () =>
    replaceAt(messages, index, { ...message, content })
  const { cache_control } = cached('5m')
  const marked = { ...last, cache_control: { type: 'ephemeral', ttl: '1h' } }
  return [
    {
      name: 'request-breakpoint',
      members: { cache_control },
      write: change([...Array.from({ length: MAX_BREAKPOINTS }, () => cached('5m')), ...blocks]),
      faults: [{ rule: 'too-many-cache-breakpoints', pointer: '/cache_control' }],
    },
    {
      name: 'cache-ttl-differs',
      members: { cache_control },
      write: change([...blocks.slice(0, -1), marked]),
      faults: [
        {
          rule: 'cache-ttl-differs',
          pointer: `/messages/${index}/content/${blocks.length - 1}`,
        },
      ],
    },
  ]
}

/** The content of a user's message as blocks; undefined for any other message, and one of results. */
function plainBlocks(message: JsonObject): JsonObject[] | undefined {
  const { role, content } = message
  if (role !== 'user') return undefined
  const blocks =
    typeof content === 'string' ? [{ type: 'text', text: content }] : contentBlocks(message)
  return blocks.every(({ type }) => type !== 'tool_result') ? blocks : undefined
}

function countBreakpoints(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const own = Object.entries(value).map(([key, member]) =>
    key === 'cache_control' && member !== null ? 1 : countBreakpoints(member),
  )
  return own.reduce((sum, count) => sum + count, 0)
}

function breakRequest(
  messages: readonly JsonObject[],
  message: JsonObject,
  index: number,
  total: number,
): Mutation[] {
  const blocks = plainBlocks(message)
  if (blocks === undefined) return []
  const missing = MAX_BREAKPOINTS - total
  const change = (added: readonly JsonObject[]) => () =>
    replaceAt(messages, index, { ...message, content: [...blocks, ...added] })
  const mutations: Mutation[] = [
    {
      name: 'too-many-cache-breakpoints',
      write: change(Array.from({ length: missing + 1 }, () => cached('5m'))),
      faults: [
        {
          rule: 'too-many-cache-breakpoints',
          pointer: `/messages/${index}/content/${blocks.length + missing}`,
        },
      ],
    },
  ]
  if (missing < 2) return mutations
  return [
    ...mutations,
    {
      name: 'cache-ttl-order',
      write: change([cached(index % 2 === 0 ? '5m' : undefined), cached('1h')]),
      faults: [
        { rule: 'cache-ttl-order', pointer: `/messages/${index}/content/${blocks.length + 1}` },
      ],
    },
  ]
}

function cached(ttl: string | undefined): JsonObject {
  return { type: 'text', text: 'Noted.', cache_control: { type: 'ephemeral', ttl } }
}

function breakThinking(
  messages: readonly JsonObject[],
  message: JsonObject,
  index: number,
): Mutation[] {
  const blocks = contentBlocks(message)
  const thought = blocks.findIndex(({ type }) => /thinking$/.test(String(type)))
  if (thought < 0) return []
  const marked = { ...blocks[thought], cache_control: { type: 'ephemeral' } }
  return [
    {
      name: 'cache-on-thinking',
      write: () =>
        replaceAt(messages, index, { ...message, content: replaceAt(blocks, thought, marked) }),
      faults: [{ rule: 'cache-on-thinking', pointer: `/messages/${index}/content/${thought}` }],
    },
  ]
}
