import type { FormatAdapter } from '../adapter.ts'
import { OPENAI_RESPONSES_CHANGE_RULES } from './change-rules.ts'
import { checkOpenaiResponses, OPENAI_RESPONSES_RULES } from './check.ts'
import { findOpenaiResponsesEvidence } from './detect.ts'
import { FRAMING, readOpenaiResponses } from './read.ts'
import { writeOpenaiResponses } from './write.ts'

/** OpenAI Responses, where the conversation is an `input` of items. */
export const openaiResponses: FormatAdapter = {
  id: 'openai-responses',
  list: 'input',
  usual: { model: 'gpt-4o', provider: 'openai' },
  findEvidence: findOpenaiResponsesEvidence,
  read: readOpenaiResponses,
  write: writeOpenaiResponses,
  countInsertion: (text, countTokens) => FRAMING.item + countTokens(text),
  rules: OPENAI_RESPONSES_RULES,
  check: checkOpenaiResponses,
  changeRules: OPENAI_RESPONSES_CHANGE_RULES,
}
