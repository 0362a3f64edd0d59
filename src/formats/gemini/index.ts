import type { FormatAdapter } from '../adapter.ts'
import { GEMINI_CHANGE_RULES } from './change-rules.ts'
import { checkGemini, GEMINI_RULES } from './check.ts'
import { findGeminiEvidence } from './detect.ts'
import { FRAMING, readGemini } from './read.ts'
import { writeGemini } from './write.ts'

/** Google's Gemini API, generateContent. */
export const gemini: FormatAdapter = {
  id: 'gemini',
  list: 'contents',
  usual: { model: 'gemini', provider: 'google' },
  findEvidence: findGeminiEvidence,
  read: readGemini,
  write: writeGemini,
  countInsertion: (text, countTokens) => FRAMING.message + countTokens(text),
  rules: GEMINI_RULES,
  check: checkGemini,
  changeRules: GEMINI_CHANGE_RULES,
}
