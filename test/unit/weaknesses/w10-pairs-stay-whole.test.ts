/** W10: theirs splits calls from results in 180 of 180 truncations, and repairs after the budget check. */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { fakeSummarizer } from '../../helpers/fake-ports.ts'
import type { SampledFormat } from '../../helpers/sample-conversation.ts'
import { createSeededRandom, type SeededRandom } from '../../helpers/seeded-random.ts'
import { findFaults } from '../../helpers/wire-rules/index.ts'
import { compactWith, conversation, only, prose, user } from '../seeds/support.ts'

type Turn = (label: string, width: number) => JsonObject[]

const names = (label: string, width: number): string[] =>
  Array.from({ length: width }, (_, index) => `${label}-${index}`)

/** A turn of parallel calls and their results, as each format writes it. */
const TURNS: Readonly<Record<SampledFormat, Turn>> = {
  'openai-chat': (label, width) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: names(label, width).map((id) => ({
        id,
        type: 'function',
        function: { name: 'run', arguments: JSON.stringify({ id }) },
      })),
    },
    ...names(label, width).map((id) => ({
      role: 'tool',
      tool_call_id: id,
      content: prose(40, id),
    })),
  ],
  'anthropic-messages': (label, width) => [
    {
      role: 'assistant',
      content: names(label, width).map((id) => ({
        type: 'tool_use',
        id,
        name: 'run',
        input: { id },
      })),
    },
    {
      role: 'user',
      content: names(label, width).map((id) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: prose(40, id),
      })),
    },
  ],
  neurolink: (label, width) => [
    ...names(label, width).map((toolCallId) => ({
      role: 'tool_call',
      content: '',
      tool: 'run',
      toolCallId,
    })),
    ...names(label, width).map((toolCallId) => ({
      role: 'tool_result',
      content: prose(40, toolCallId),
      tool: 'run',
      toolCallId,
    })),
  ],
}

function history(format: SampledFormat, widest: number, random: SeededRandom): JsonObject[] {
  const turns = Array.from({ length: 14 + random.below(10) }, (_, index) => {
    const turn = TURNS[format](`t${index}`, 1 + random.below(widest))
    if (random.chance(0.3)) turn.push({ role: 'assistant', content: prose(20, `report${index}`) })
    if (turn.at(-1)?.role === 'assistant' && random.chance(0.6))
      turn.push(user(prose(15, `u${index}`)))
    return turn
  })
  const messages = [user('The task.'), ...turns.flat()]
  return format === 'neurolink' ? conversation(...messages) : messages
}

async function cut(
  format: SampledFormat,
  stage: 'truncate' | 'summarize',
  widest: number,
  runs: number,
) {
  const random = createSeededRandom(runs)
  let applied = 0
  for (let run = 0; run < runs; run += 1) {
    const messages = history(format, widest, random)
    const base = { format, messages, options: only(stage) }
    const { tokensBefore, floor } = (await compactWith({ ...base, targetTokens: 1e9 })).report
    const room = tokensBefore - floor.tokens
    const targetTokens = Math.ceil(floor.tokens + room * random.next())
    const summarize = fakeSummarizer(['1. Primary Request and Intent: run.'])
    const { report, messages: left } = await compactWith({ ...base, targetTokens }, { summarize })
    if (report.outcome !== 'unchanged') applied += 1
    expect(findFaults(format, { messages: left as JsonObject[] })).toEqual([])
    // Whole by themselves: no output had to be held back, and the tokens are those of what is returned.
    expect(report.warnings).toEqual([])
    const again = await compactWith({ format, messages: left, targetTokens: 1e9 })
    expect(again.report.tokensBefore).toBe(report.tokensAfter)
    if (stage === 'truncate') expect(report.fits).toBe(true)
  }
  return applied
}

describe('W10: calls and results stay together', () => {
  it.each(Object.keys(TURNS) as SampledFormat[])(
    'in 60 of 60 truncated histories of %s',
    async (format) => {
      expect(await cut(format, 'truncate', 1, 60)).toBeGreaterThan(50)
    },
  )

  it.each(Object.keys(TURNS) as SampledFormat[])(
    'in 50 of 50 summarised histories of parallel calls of %s',
    async (format) => {
      expect(await cut(format, 'summarize', 4, 50)).toBeGreaterThan(25)
    },
  )
})
