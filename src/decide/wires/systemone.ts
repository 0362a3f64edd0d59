import { classifyErrorEnvelope } from './error-envelope.ts'
import type { AnswerShape } from './read-answer.ts'
import {
  decodeSystemOneAnswers,
  encodeSystemOneQuestions,
  encodeSystemOneState,
  probabilityByMember,
  systemOneRendering,
} from './system-one-body.ts'
import { REMOTE_TRAITS, type Wire, type WireLimits } from './wire.ts'

/**
 * 64k tokens for state and all questions, 32k for state and the longest (33,002 was measured as the
 * last that is taken). Questions are not limited by the documentation; 300 is within what was
 * measured (400). About 261 tokens per request and 8 per question are the server's own.
 */
export const SYSTEM_ONE_LIMITS: WireLimits = {
  maxStateAndLongestQuestionTokens: 32_000,
  maxTotalTokens: 64_000,
  maxQuestionsPerRequest: 300,
  requestOverheadTokens: 261,
  questionOverheadTokens: 8,
}

/**
 * `POST …/v1/systemone`, as TypeSafe documents it and its clones serve it. Clones take less: a
 * LiteLLM proxy 128 questions, Kev 8,192 tokens, some 64 questions. Those limits are a deployment's
 * to set; one that is exceeded by tokens is learned.
 */
export const systemOneWire: Wire = {
  id: 'systemone',
  limits: SYSTEM_ONE_LIMITS,
  traits: REMOTE_TRAITS,
  rendering: systemOneRendering('noul'),
  encode: ({ questions, state }, model) => ({
    body: {
      model,
      state: encodeSystemOneState(state),
      questions: encodeSystemOneQuestions(questions, 'noul'),
    },
  }),
  decode: (json, questions) => decodeSystemOneAnswers(json, questions, SYSTEM_ONE_ANSWERS),
  classifyError: classifyErrorEnvelope,
}

const SYSTEM_ONE_ANSWERS: AnswerShape = {
  booleanType: 'noul',
  booleanMember: 'noul',
  probabilityOf: probabilityByMember,
}
