import type { FormatAdapter } from '../adapter.ts'
import { checkNeurolink, NEUROLINK_RULES } from './check.ts'
import { findNeurolinkEvidence } from './detect.ts'
import { FRAMING, readNeurolink } from './read.ts'
import { writeNeurolink } from './write.ts'

/** NeuroLink's ChatMessage, as its conversation memory stores it. */
export const neurolink: FormatAdapter = {
  id: 'neurolink',
  list: 'messages',
  usual: { model: undefined, provider: 'openai' },
  findEvidence: findNeurolinkEvidence,
  read: readNeurolink,
  write: writeNeurolink,
  countInsertion: (text, countTokens) => FRAMING.message + countTokens(text),
  rules: NEUROLINK_RULES,
  check: checkNeurolink,
  changeRules: [],
}
