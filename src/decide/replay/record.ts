/** Ports that write down what the models behind them say. */
import type {
  Answer,
  DecidePort,
  DecideRequest,
  DecideResult,
  SummarizePort,
  SummarizeRequest,
  SummarizeResult,
} from '../../engine/ports.ts'
import { ask } from '../../engine/questions/ask.ts'
import { callKey, documentNames, summaryKey } from './keys.ts'
import type {
  RecordedAnswer,
  RecordedCall,
  RecordedModel,
  RecordedSummary,
  Recording,
} from './recording.ts'

/** The models of a run; each may be missing. */
export interface ModelPorts {
  readonly decide: DecidePort | undefined
  readonly summarize: SummarizePort | undefined
}

export interface Recorder {
  readonly ports: ModelPorts
  /** What was said until now. */
  readonly recording: () => Recording
}

/** One per run. The ports answer as those that they stand before, and never throw. */
export function createRecorder({ decide, summarize }: ModelPorts): Recorder {
  const calls: RecordedCall[] = []
  const summaries: RecordedSummary[] = []
  return {
    ports: {
      decide: decide && recordDecide(decide, calls),
      summarize: summarize && recordSummarize(summarize, summaries),
    },
    recording: () => ({
      decide: decide === undefined ? null : { model: toModel(decide), calls: [...calls] },
      summarize:
        summarize === undefined
          ? null
          : {
              model: summarize.model,
              maxInputTokens: summarize.maxInputTokens,
              calls: [...summaries],
            },
    }),
  }
}

function recordDecide(port: DecidePort, calls: RecordedCall[]): DecidePort {
  return {
    traits: port.traits,
    decide: async (request) => {
      const { signal: modelSignal, deadlineAt } = request
      // What breaks the port's contract is put right as the engine would.
      const result = await ask(port, request, {
        modelSignal,
        ...(deadlineAt !== undefined && { modelDeadlineAt: deadlineAt }),
      })
      calls.push(toCall(request, result))
      return result
    },
  }
}

function recordSummarize(port: SummarizePort, calls: RecordedSummary[]): SummarizePort {
  return {
    model: port.model,
    maxInputTokens: port.maxInputTokens,
    summarize: async (request) => {
      const result = await summarizeSafely(port, request)
      calls.push(toSummary(summaryKey(request), result))
      return result
    },
  }
}

async function summarizeSafely(
  port: SummarizePort,
  request: SummarizeRequest,
): Promise<SummarizeResult> {
  try {
    return await port.summarize(request)
  } catch {
    const failure = request.signal.aborted ? 'deadline' : 'error'
    return { ok: false, failure, latencyMs: 0 }
  }
}

function toModel({ traits }: DecidePort): RecordedModel {
  const { wire, model, order, riskBudget, maxQuestions, sites } = traits
  return {
    wire,
    model,
    order,
    riskBudget: riskBudget ?? null,
    maxQuestions: Number.isFinite(maxQuestions) ? maxQuestions : null,
    sites: [...sites],
  }
}

function toCall(request: DecideRequest, result: DecideResult): RecordedCall {
  const { wire, model, latencyMs, requests, notAsked, voted, abstained, links, failure, traits } =
    result
  const names = documentNames(request.state)
  return {
    site: request.site,
    key: callKey(request),
    answers: request.questions.flatMap((question) => {
      const name = question.kind === 'boolean' ? names.get(question.about ?? '') : undefined
      const answer = toAnswer(result.answers.get(question.id))
      return answer === undefined
        ? []
        : [{ id: question.id, ...(name !== undefined && { about: name }), ...answer }]
    }),
    wire,
    model,
    latencyMs,
    requests,
    notAsked,
    ...(voted !== undefined && { voted }),
    ...(abstained === true && { abstained }),
    ...(links !== undefined && { links }),
    ...(failure !== undefined && { failure }),
    ...(traits !== undefined && {
      traits: { order: traits.order, riskBudget: traits.riskBudget ?? null },
    }),
  }
}

/** Undefined for what no reader takes for an answer: it is as good as none, and no JSON number. */
function toAnswer(answer: Answer | undefined): Omit<RecordedAnswer, 'id'> | undefined {
  switch (answer?.kind) {
    case 'boolean':
      return isShare(answer.probability) ? { probability: answer.probability } : undefined
    case 'score':
      return Number.isFinite(answer.score) && isShare(answer.confidence)
        ? { score: answer.score, confidence: answer.confidence }
        : undefined
    case 'choice':
      return isShare(answer.confidence)
        ? { choice: answer.choice, confidence: answer.confidence }
        : undefined
    default:
      return undefined
  }
}

function isShare(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1
}

function toSummary(key: string, result: SummarizeResult): RecordedSummary {
  const { latencyMs } = result
  if (!result.ok) return { key, latencyMs, failure: result.failure }
  const { text, model, toolCalls, refused, truncated } = result
  return { key, latencyMs, text, model, toolCalls, refused, truncated }
}
