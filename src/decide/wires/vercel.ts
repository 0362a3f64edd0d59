import { classifyErrorEnvelope } from './error-envelope.ts'
import { isRecord, type JsonRecord } from './json.ts'
import type { AnswerShape } from './read-answer.ts'
import {
  decodeSystemOneAnswers,
  encodeSystemOneQuestions,
  encodeSystemOneState,
  probabilityByMember,
  systemOneRendering,
} from './system-one-body.ts'
import { SYSTEM_ONE_LIMITS } from './systemone.ts'
import { REMOTE_TRAITS, type Wire } from './wire.ts'

/**
 * `POST https://ai-gateway.vercel.sh/v4/ai/evaluation-model`, as the AI SDK's gateway provider speaks
 * it. The model stands in a header, and one in the body is refused; a yes/no question is a `boolean`
 * with a `probability`; confidence comes apart from the answers, by provider. The gateway refuses
 * every protocol version but this. Its answers do not name the model.
 */
export const vercelWire: Wire = {
  id: 'vercel',
  limits: SYSTEM_ONE_LIMITS,
  traits: REMOTE_TRAITS,
  rendering: systemOneRendering('boolean'),
  encode: ({ questions, state }, model) => ({
    body: {
      state: encodeSystemOneState(state),
      questions: encodeSystemOneQuestions(questions, 'boolean'),
    },
    headers: {
      'ai-gateway-auth-method': 'api-key',
      'ai-gateway-protocol-version': '0.0.1',
      'ai-evaluation-model-specification-version': '4',
      'ai-model-id': model,
    },
  }),
  decode: (json, questions) =>
    decodeSystemOneAnswers(json, questions, ANSWERS, confidencesOf(json)),
  classifyError: classifyErrorEnvelope,
}

const ANSWERS: AnswerShape = {
  booleanType: 'boolean',
  booleanMember: 'probability',
  probabilityOf: probabilityByMember,
}

/** `providerMetadata.<provider>.confidence` of whichever provider answered. */
function confidencesOf(json: unknown): JsonRecord {
  const metadata = isRecord(json) ? json.providerMetadata : undefined
  if (!isRecord(metadata)) return {}
  for (const provider of Object.values(metadata)) {
    if (isRecord(provider) && isRecord(provider.confidence)) return provider.confidence
  }
  return {}
}
