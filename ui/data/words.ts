/** The report's words in plain ones. A word that is not known here is shown as it is. */
import type { Action } from './answer.ts'

const REASONS: Readonly<Record<string, string>> = {
  'not-needed': 'the model is confident that the current request does not need it',
  'evidence-dropped': 'it reports a tool exchange that went, and was judged with it',
  'claim-kept': 'its output is not needed, but a text that may rest on it stays',
  'old-tool-output': 'old tool output, outside the part that stays whole',
  'old-media': 'an old image, document or recording, replaced by a note',
  'repeated-read': 'the same file was read again later',
  'identical-result': 'the same output came again later',
  snipped: 'an early part, collapsed into a marker',
  summarized: 'a summary stands for it',
  oldest: 'the oldest go first where the target needs more room',
  'least-needed': 'judged the least needed where the target needs more room',
  'too-large': 'a single large text, shortened to its beginning and end',
  linked: 'belongs together with another message, and has its fate',
  marker: 'says how many messages are missing here',
  'superseded-marker': 'an older marker, counted into the new one',
  summary: 'a summary of what came before',
  instructions: 'instructions are never touched',
  'first-task': 'the first task stays',
  'current-request': 'this is the current request',
  skill: 'a pinned skill stays word for word',
  'sealed-history': 'a history that only its provider can read',
  'unresolved-call': 'a tool call that still waits for its result',
  'caller-pin': 'pinned by the caller',
  'protected-tail': 'one of the newest messages, which stay',
  'not-judged': 'no model was asked about it, or none answered',
  'within-target': 'judged, and kept',
}

export function reasonWords(reason: string): string {
  return REASONS[reason] ?? ''
}

const STATUSES: Readonly<Record<string, string>> = {
  applied: 'changed the conversation',
  'no-change': 'found nothing to change',
  'not-needed': 'the target was met before it',
  disabled: 'switched off',
  skipped: 'without what it needs',
  rejected: 'its result was not better, and was discarded',
  failed: 'failed, and the next stage ran',
}

export function statusWords(status: string): string {
  return STATUSES[status] ?? ''
}

const STAGE_REASONS: Readonly<Record<string, string>> = {
  'no-decide-model': 'no model decides here',
  'no-current-request': 'no current request is known',
  'nothing-eligible': 'nothing may be judged',
  'no-summarizer': 'no summariser is configured',
  'nothing-to-summarize': 'too little to summarise',
  'floor-above-target': 'what must stay is more than the target',
  'does-not-fit': 'it did not meet the target by itself',
  'not-smaller': 'it was not smaller',
  aborted: 'no summary of exactly this material was recorded: ask the models again',
}

export function stageReasonWords(reason: string): string {
  return STAGE_REASONS[reason] ?? reason
}

const FATES: Readonly<Record<Action['action'], string>> = {
  kept: 'Kept',
  dropped: 'Dropped',
  rewritten: 'Shortened',
  inserted: 'Inserted',
}

export function fateWord(fate: Action['action']): string {
  return FATES[fate]
}

/** One sentence: what happened to a message, by which stage, and why. */
export function fateSentence({ action, stage, reason }: Action): string {
  const by = stage === undefined ? '' : ` by ${stage}`
  const words = reasonWords(reason)
  return `${fateWord(action)}${by}${words === '' ? '' : `: ${words}`}.`
}
