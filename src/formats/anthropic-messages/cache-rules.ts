import type { WireRule } from '../wire-rule.ts'
import { isThinking } from './blocks.ts'
import { findOtherTime } from './breakpoints.ts'
import type { Context } from './rule-context.ts'
import { blockPointer } from './turns.ts'

const CACHING_GUIDE = 'Anthropic, Prompt caching; enforced with a 400'

/** Of tools, system, messages and the request itself together. */
const MAX_BREAKPOINTS = 4

export const CACHE_RULES: readonly WireRule<Context>[] = [
  {
    id: 'too-many-cache-breakpoints',
    source: `${CACHING_GUIDE} (claude-code issue 8901): at most four in a request`,
    run: ({ breakpoints }, report) => {
      const first = breakpoints[MAX_BREAKPOINTS]
      if (first === undefined) return
      report(first.pointer, `is one of ${breakpoints.length} with cache_control; four are allowed`)
    },
  },
  {
    id: 'cache-ttl-order',
    source: `${CACHING_GUIDE} (claude-code-cache-fix issue 44): those of one hour come first`,
    run: ({ breakpoints }, report) => {
      let isShortBefore = false
      for (const { isLong, pointer } of breakpoints) {
        if (isLong && isShortBefore) report(pointer, 'lasts longer than a breakpoint before it')
        isShortBefore ||= !isLong
      }
    },
  },
  {
    id: 'cache-ttl-differs',
    source: `${CACHING_GUIDE}: the last block has the ttl of the request's own cache_control, or none`,
    run: ({ payload, turns }, report) => {
      const place = findOtherTime(payload, turns)
      if (place !== undefined) report(place, 'has another ttl than the request itself')
    },
  },
  {
    id: 'cache-on-thinking',
    source: `${CACHING_GUIDE} (gproxy issue 67): thinking takes no cache_control`,
    run: ({ turns }, report) => {
      for (const { blocks } of turns) {
        for (const block of blocks) {
          if (!isThinking(block.type) || block.value.cache_control === undefined) continue
          report(blockPointer(block), 'may not have cache_control')
        }
      }
    },
  },
]
