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
   * of `max_completion_tokens`; `{"top_logprobs":5}` for a server that gives fewer alternatives. What the
   * wire itself rests on cannot be set.
   */
  readonly extraBody?: JsonObject
  /** Of P(needed), for this model. The gate's answers are taken as they are. */
  readonly calibration?: Calibration
}

/** The most that OpenAI takes, and vLLM unless it was started with another `--max-logprobs`. */
const TOP_LOGPROBS = 20

/** What is wrong with members that a deployment adds; undefined when nothing is. Quotes no value. */
export function extraBodyFault(extraBody: JsonObject): string | undefined {
  const { stream, top_logprobs: top } = extraBody
  const own = ['model', 'messages', 'logprobs'].filter((name) => Object.hasOwn(extraBody, name))
  if (own.length > 0) return `must not hold what the wire sets itself: ${own.join(', ')}`
  if (stream !== undefined && stream !== false) return 'must not ask for a stream'
  const isCount = typeof top === 'number' && Number.isInteger(top) && top >= 1
  return top === undefined || (isCount && top <= TOP_LOGPROBS)
    ? undefined
    : `must have a number from 1 to ${TOP_LOGPROBS} for top_logprobs`
}

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
        top_logprobs: TOP_LOGPROBS,
        ...('max_tokens' in extraBody ? {} : { max_completion_tokens: 1 }),
        ...extraBody,
        model,
        messages: [
          { role: 'system', content: YES_NO_INSTRUCTIONS },
          { role: 'user', content: renderPrompt(request) },
        ],
        logprobs: true,
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
