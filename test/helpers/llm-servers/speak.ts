import type { JsonRecord } from '../wire-rules/json.ts'
import { asRecord } from '../wire-rules/json.ts'
import type { LlmProtocol, ModelCall, ModelTurn } from './types.ts'

export interface ModelBehaviour {
  /** Turns in which the model calls the first tool of the request before it answers. Default 0. */
  readonly toolTurns: number
  /** Calls of one such turn, made at once. Default 1. */
  readonly callsPerTurn: number
  /** Words of an answer. Default 12. */
  readonly answerWords: number
}

/** Words of one, two, three and four bytes a character, so that any cut of a stream can be a bad one. */
const WORDS = [
  'The',
  'déjà',
  'vu',
  'of',
  '漢字',
  'and',
  '🚀',
  'is',
  'settled',
  'naïvely',
  'here',
  '…',
]

/**
 * The same turn for the same conversation. The model counts by the highest `step` among the calls
 * that it sees, and not by their number: a conversation that was compacted goes on where it was.
 */
export function speak(
  protocol: LlmProtocol,
  body: JsonRecord,
  { toolTurns, callsPerTurn, answerWords }: ModelBehaviour,
): ModelTurn {
  const [tool] = protocol.toolNames(body)
  const turnsDone = Math.ceil(lastStep(protocol.callInputs(body)) / callsPerTurn)
  if (tool === undefined || turnsDone >= toolTurns) {
    return { text: words(answerWords), calls: [] }
  }
  const first = turnsDone * callsPerTurn + 1
  const calls = Array.from({ length: callsPerTurn }, (_, index) => call(tool, first + index))
  return { text: `Turn ${turnsDone + 1}.`, calls }
}

function lastStep(inputs: readonly unknown[]): number {
  return inputs.reduce<number>((last, input) => {
    const { step } = asRecord(input)
    return typeof step === 'number' && step > last ? step : last
  }, 0)
}

function call(name: string, step: number): ModelCall {
  const digits = String(step).padStart(4, '0')
  return { id: `call_${digits}`, name, input: { step, path: `src/part-${digits}.ts` } }
}

function words(count: number): string {
  return Array.from({ length: count }, (_, index) => WORDS[index % WORDS.length]).join(' ')
}

/** A text in pieces of a few characters, no character cut. */
export function piecesOf(text: string): readonly string[] {
  return text.match(/.{1,6}/gsu) ?? []
}

/** Arguments as APIs send them, as text; what does not parse is kept as it is. */
export function parseInput(text: unknown): unknown {
  if (typeof text !== 'string') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
