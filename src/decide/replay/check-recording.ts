import { type Fault, PrecisError } from '../../engine/errors.ts'
import type { RecordedAnswer, RecordedSummary, Recording } from './recording.ts'

/** A reader mends a few faults at a time. */
const MAX_FAULTS = 20

/**
 * What no schema says of a recording: that each answer is one answer, and to a question of its own.
 *
 * @param pointer JSON Pointer to the recording
 * @throws PrecisError('invalid-request')
 */
export function checkRecording({ decide, summarize }: Recording, pointer: string): void {
  const faults: Fault[] = []
  for (const [place, { answers }] of (decide?.calls ?? []).entries()) {
    const at = `${pointer}/decide/calls/${place}/answers`
    const seen = new Set<string>()
    for (const [index, answer] of answers.entries()) {
      if (faults.length >= MAX_FAULTS) break
      if (seen.has(answer.id)) faults.push(repeated(`${at}/${index}/id`))
      seen.add(answer.id)
      if (!isOneAnswer(answer)) faults.push(noAnswer(`${at}/${index}`))
    }
  }
  for (const [place, call] of (summarize?.calls ?? []).entries()) {
    if (faults.length >= MAX_FAULTS) break
    if (!isOneSummary(call)) faults.push(noSummary(`${pointer}/summarize/calls/${place}`))
  }
  if (faults.length === 0) return
  throw new PrecisError('invalid-request', 'The recording breaks its rules.', { faults })
}

function isOneAnswer({ probability, score, choice, confidence }: RecordedAnswer): boolean {
  const kinds = [probability, score, choice].filter((value) => value !== undefined)
  return kinds.length === 1 && (probability === undefined) === (confidence !== undefined)
}

function isOneSummary({ text, failure }: RecordedSummary): boolean {
  return (text === undefined) !== (failure === undefined)
}

function repeated(pointer: string): Fault {
  return { pointer, rule: 'unique-answer', detail: 'must be answered once in its call' }
}

function noAnswer(pointer: string): Fault {
  const detail = 'must have a probability alone, or a confidence with either a score or a choice'
  return { pointer, rule: 'one-answer', detail }
}

function noSummary(pointer: string): Fault {
  return { pointer, rule: 'one-summary', detail: 'must have either a text or a failure' }
}
