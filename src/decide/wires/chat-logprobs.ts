import type { Answer } from '../../engine/ports.ts'
import type { JsonObject } from '../../engine/transcript.ts'
import { type Calibration, createScoreReader } from '../calibration/calibration.ts'
import { classifyErrorEnvelope } from './error-envelope.ts'
import { isRefusal, readFirstToken } from './first-token.ts'
import { isRecord, readModelName } from './json.ts'
import type { PackedRequest, Wire } from './wire.ts'
import {
  isBoolean,
  renderDocuments,
  renderQuestion,
  renderShared,
  YES_NO_INSTRUCTIONS,
  YES_NO_TRAITS,
} from './yes-no-prompt.ts'

export interface ChatLogprobsWireOptions {
  /**
   * Members that this server or model needs beside the wire's, such as
   * `{"chat_template_kwargs":{"enable_thinking":false}}` or `{"max_tokens":1}`, which takes the place
   * of `max_completion_tokens`. What the wire itself rests on cannot be set.
   */
  readonly extraBody?: JsonObject
  /** Of P(needed), for this model. The gate's answers are taken as they are. */
  readonly calibration?: Calibration
}

/** The most that OpenAI takes, and vLLM unless it was started with another `--max-logprobs`. */
const TOP_LOGPROBS = 20

/**
 * `POST …/chat/completions` of any OpenAI-compatible server that gives log probabilities: one question
 * per request, and P(yes) from the first token of the answer. A model that thinks before it answers,
 * and an API without `logprobs` (Anthropic's, OpenAI's reasoning models), cannot be asked.
 *
 * All requests of a call begin with the same text and differ in their end, a message and the question
 * about it, so that a server with a prefix cache reads the shared part once. The limit is a window that
 * any current model has.
 */
export function createChatLogprobsWire(options: ChatLogprobsWireOptions = {}): Wire {
  const { extraBody = {} } = options
  const readNeeded = createScoreReader(options.calibration, 'unit')
  return {
    id: 'chat-logprobs',
    limits: {
      maxStateAndLongestQuestionTokens: 16_000,
      maxTotalTokens: 16_000,
      maxQuestionsPerRequest: 1,
      requestOverheadTokens: 32,
      questionOverheadTokens: 4,
    },
    traits: YES_NO_TRAITS,
    rendering: {
      stateText: (state) =>
        `${YES_NO_INSTRUCTIONS}\n${renderShared(state)}${renderDocuments(state.documents)}`,
      documentText: (document) => renderDocuments([document]),
      questionText: (question) => (isBoolean(question) ? renderQuestion(question) : ''),
    },
    manyRequests: { parallel: 8, firstAlone: true },
    encode: (request, model) => ({
      body: {
        temperature: 0,
        ...('max_tokens' in extraBody ? {} : { max_completion_tokens: 1 }),
        ...extraBody,
        model,
        messages: [
          { role: 'system', content: YES_NO_INSTRUCTIONS },
          { role: 'user', content: renderPrompt(request) },
        ],
        logprobs: true,
        top_logprobs: TOP_LOGPROBS,
      },
    }),
    decode: (json, [question]) => {
      if (!isRecord(json) || !Array.isArray(json.choices)) return undefined
      const choice: unknown = json.choices[0]
      if (lacksLogprobs(choice)) return undefined
      const answers = new Map<string, Answer>()
      const yes = readFirstToken(choice)
      if (question !== undefined && isBoolean(question) && yes !== undefined) {
        const probability = question.about === undefined ? yes : readNeeded(yes)
        if (probability !== undefined) answers.set(question.id, { kind: 'boolean', probability })
      }
      const model = readModelName(json)
      return { answers, ...(model === undefined ? {} : { model }) }
    },
    classifyError: classifyErrorEnvelope,
  }
}

/** From a server that does not know the parameter, and will not for the next question either. */
function lacksLogprobs(choice: unknown): boolean {
  return isRecord(choice) && !isRefusal(choice) && !isRecord(choice.logprobs)
}

function renderPrompt({ questions: [question], state }: PackedRequest): string {
  const shared = `${renderShared(state)}${renderDocuments(state.documents)}`
  return question !== undefined && isBoolean(question)
    ? `${shared}${renderQuestion(question)}`
    : shared
}
