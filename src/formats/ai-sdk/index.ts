import type { FormatAdapter } from '../adapter.ts'
import { AI_SDK_CHANGE_RULES } from './change-rules.ts'
import { AI_SDK_RULES, checkAiSdk } from './check.ts'
import { findAiSdkEvidence } from './detect.ts'
import { FRAMING, readAiSdk } from './read.ts'
import { writeAiSdk } from './write.ts'

/** ModelMessage[] of the Vercel AI SDK, version 5 and later. */
export const aiSdk: FormatAdapter = {
  id: 'ai-sdk',
  list: 'messages',
  usual: { model: undefined, provider: 'openai' },
  findEvidence: findAiSdkEvidence,
  read: readAiSdk,
  write: writeAiSdk,
  countInsertion: (text, countTokens) => FRAMING.message + countTokens(text),
  rules: AI_SDK_RULES,
  check: checkAiSdk,
  changeRules: AI_SDK_CHANGE_RULES,
}
