import { isSignedBlock } from './anthropic-thinking.ts'
import { conversationListOf } from './conversation-list.ts'
import { asArray, asRecord, isRecord, type JsonRecord } from './json.ts'
import type { Fault, WirePayload } from './types.ts'

/** Guide "Prompt caching": at most four breakpoints over tools, system and messages together. */
const MAX_CACHE_BREAKPOINTS = 4

interface Place {
  readonly value: JsonRecord
  readonly pointer: string
}

/**
 * Breakpoints of the prompt cache (guide "Prompt caching").
 *
 * - `too-many-cache-breakpoints`: "A maximum of 4 blocks with cache_control may be provided"; at
 *   the first that is one too many.
 * - `cache-ttl-order`: "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control
 *   block. Note that blocks are processed in the following order: `tools`, `system`, `messages`".
 *   Without a `ttl` it is five minutes (SDK, `CacheControlEphemeral`).
 * - A `cache_control` of the request: "automatically applies a cache_control marker to the last cacheable
 *   block in the request" (SDK, `MessageCreateParams`); it "uses one of the 4 available breakpoint slots",
 *   and is "a no-op" where that block has one already.
 * - `cache-ttl-differs`: "If the last block has an explicit cache_control with a different TTL, the API
 *   returns a 400 error".
 * - `cache-on-thinking`: "thinking.cache_control: Extra inputs are not permitted", whatever it holds.
 */
export function findAnthropicCacheFaults(payload: WirePayload): Fault[] {
  const places = placesOf(payload)
  const marked = places.filter(isMarked)
  const last = isRecord(payload.cache_control) ? lastPlaceOf(payload) : undefined
  const request = { value: { cache_control: payload.cache_control }, pointer: '/cache_control' }
  const breakpoints = last === undefined || isMarked(last) ? marked : [...marked, request]
  const faults: Fault[] = []
  if (last !== undefined && isMarked(last) && isLong(last) !== isLong(request)) {
    faults.push({ rule: 'cache-ttl-differs', pointer: last.pointer })
  }
  const tooMany = breakpoints[MAX_CACHE_BREAKPOINTS]
  if (tooMany !== undefined) {
    faults.push({ rule: 'too-many-cache-breakpoints', pointer: tooMany.pointer })
  }
  const firstShort = breakpoints.findIndex((place) => !isLong(place))
  breakpoints.forEach((place, position) => {
    if (firstShort >= 0 && position > firstShort && isLong(place)) {
      faults.push({ rule: 'cache-ttl-order', pointer: place.pointer })
    }
  })
  for (const { value, pointer } of places) {
    if (isSignedBlock(value) && Object.hasOwn(value, 'cache_control')) {
      faults.push({ rule: 'cache-on-thinking', pointer })
    }
  }
  return faults
}

function isMarked({ value }: Place): boolean {
  return isRecord(value.cache_control)
}

/** Whoever has another role is refused for that. */
const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system'])

/** What a breakpoint of the request goes to: the last block that is none of thinking. */
function lastPlaceOf(payload: WirePayload): Place | undefined {
  const written = (text: unknown, pointer: string): Place[] =>
    typeof text === 'string' && text !== '' ? [{ value: {}, pointer }] : []
  const messages = conversationListOf(payload).flatMap((message, index) => {
    const { role, content } = asRecord(message)
    if (!ROLES.has(role)) return []
    const pointer = `/messages/${index}/content`
    return [...written(content, pointer), ...membersOf(content, pointer)]
  })
  return [
    ...membersOf(payload.tools, '/tools'),
    ...written(payload.system, '/system'),
    ...membersOf(payload.system, '/system'),
    ...messages,
  ].findLast(({ value }) => !isSignedBlock(value))
}

function isLong({ value }: Place): boolean {
  return asRecord(value.cache_control).ttl === '1h'
}

/** All that may carry a breakpoint, in the order of processing; what a result holds ends before it. */
function placesOf(payload: WirePayload): Place[] {
  const blocks = conversationListOf(payload).flatMap((message, index) =>
    membersOf(asRecord(message).content, `/messages/${index}/content`),
  )
  return [
    ...membersOf(payload.tools, '/tools'),
    ...membersOf(payload.system, '/system'),
    ...blocks.flatMap((place) => [
      ...membersOf(place.value.content, `${place.pointer}/content`),
      place,
    ]),
  ]
}

function membersOf(list: unknown, pointer: string): Place[] {
  return asArray(list).map((value, position) => ({
    value: asRecord(value),
    pointer: `${pointer}/${position}`,
  }))
}
