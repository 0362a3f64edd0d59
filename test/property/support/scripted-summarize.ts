import fc from 'fast-check'
import type { SummarizePort, SummarizeRequest, SummarizeResult } from '../../../src/engine/ports.ts'

const MANNERS = [
  'sections',
  'prose',
  'refuses',
  'is-flagged',
  'throws',
  'fails',
  'empty',
  'tool-calls',
  'huge',
  'cut-short',
] as const

export interface SummarizeSketch {
  readonly manner: (typeof MANNERS)[number] | 'none'
  /** Small enough a window for several rounds, or wide enough for one. */
  readonly maxInputTokens: number
}

export const summarizeSketch: fc.Arbitrary<SummarizeSketch> = fc.record({
  manner: fc.oneof(
    { weight: 2, arbitrary: fc.constant('none' as const) },
    { weight: 9, arbitrary: fc.constantFrom('sections' as const, 'prose' as const) },
    { weight: 5, arbitrary: fc.constantFrom(...MANNERS) },
  ),
  maxInputTokens: fc.constantFrom(1_500, 6_000, 200_000),
})

export function createSummarize({
  manner,
  maxInputTokens,
}: SummarizeSketch): SummarizePort | undefined {
  if (manner === 'none') return undefined
  return {
    model: 'writer-1',
    maxInputTokens,
    summarize: async (request) => write(manner, request),
  }
}

/** The same request is answered alike. */
function write(manner: (typeof MANNERS)[number], { input }: SummarizeRequest): SummarizeResult {
  const spoken = {
    ok: true,
    model: 'writer-1',
    toolCalls: false,
    refused: false,
    truncated: false,
    latencyMs: 5,
  } as const
  switch (manner) {
    case 'sections':
      return {
        ...spoken,
        text: `1. Primary Request and Intent: go on.\n5. Pending Tasks: none\n7. Current Work: ${input.length} characters read.`,
      }
    case 'prose':
      return { ...spoken, text: `Some work was done; ${input.length} characters were read.` }
    case 'refuses':
      return { ...spoken, text: "I'm sorry, I can't help with that." }
    case 'is-flagged':
      return { ...spoken, text: 'Leider nein.', refused: true }
    case 'throws':
      throw new Error('the summariser broke')
    case 'fails':
      return { ok: false, failure: 'overloaded', latencyMs: 5 }
    case 'empty':
      return { ...spoken, text: ' \n' }
    case 'tool-calls':
      return { ...spoken, text: '', toolCalls: true }
    case 'huge':
      return { ...spoken, text: 'It was said at length that all is well. '.repeat(4_000) }
    case 'cut-short':
      return { ...spoken, text: 'Some work was done and then', truncated: true }
  }
}
