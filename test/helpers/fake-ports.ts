import type {
  Answer,
  DecidePort,
  DecideRequest,
  DecideResult,
  DecideTraits,
  DecisionSite,
  Ports,
  SummarizePort,
  SummarizeRequest,
  SummarizeResult,
} from '../../src/engine/ports.ts'
import { countByLength, FRAMING_TOKENS } from './transcript-builder.ts'

/** What a fake decide model does at one site. A number is P(yes); ids that are left out go unanswered. */
export type DecideScript =
  | Readonly<Record<string, number | Answer>>
  | ((request: DecideRequest) => Partial<DecideResult> | Promise<Partial<DecideResult>>)

export interface FakeDecide extends DecidePort {
  readonly requests: readonly DecideRequest[]
}

/** Sites without a script are not among the model's traits. */
export function fakeDecide(
  scripts: Partial<Record<DecisionSite, DecideScript>>,
  traits: Partial<DecideTraits> = {},
): FakeDecide {
  const requests: DecideRequest[] = []
  const fullTraits: DecideTraits = {
    wire: 'fake',
    model: 'fake-1',
    order: 'oldest-first',
    riskBudget: undefined,
    maxQuestions: 300,
    sites: new Set(Object.keys(scripts) as DecisionSite[]),
    ...traits,
  }
  return {
    traits: fullTraits,
    requests,
    decide: async (request) => {
      requests.push(request)
      const script = scripts[request.site] ?? {}
      const result =
        typeof script === 'function' ? await script(request) : { answers: toAnswers(script) }
      return {
        answers: new Map(),
        wire: fullTraits.wire,
        model: fullTraits.model,
        latencyMs: 7,
        requests: 1,
        notAsked: 0,
        ...result,
      }
    },
  }
}

export function toAnswers(script: Readonly<Record<string, number | Answer>>): Map<string, Answer> {
  return new Map(
    Object.entries(script).map(([id, answer]) => [
      id,
      typeof answer === 'number' ? { kind: 'boolean', probability: answer } : answer,
    ]),
  )
}

/** A text answers; a result is given as it is; an Error is thrown. One item per call, the last repeats. */
export type SummaryScript = string | SummarizeResult | Error

export interface FakeSummarizer extends SummarizePort {
  readonly requests: readonly SummarizeRequest[]
}

export function fakeSummarizer(
  script: readonly SummaryScript[],
  maxInputTokens = 100_000,
): FakeSummarizer {
  const requests: SummarizeRequest[] = []
  return {
    model: 'writer-1',
    maxInputTokens,
    requests,
    summarize: async (request) => {
      const item = script[Math.min(requests.length, script.length - 1)]
      requests.push(request)
      if (item === undefined) throw new Error('the fake summariser has no script')
      if (item instanceof Error) throw item
      return typeof item === 'string' ? written(item) : item
    },
  }
}

export function written(
  text: string,
  extra: Partial<Extract<SummarizeResult, { ok: true }>> = {},
): SummarizeResult {
  return {
    ok: true,
    text,
    model: 'writer-1',
    toolCalls: false,
    refused: false,
    truncated: false,
    latencyMs: 11,
    ...extra,
  }
}

/** Ports that count by length and have no model unless one is given. */
export function fakePorts(over: Partial<Ports> = {}): Ports {
  const signal = new AbortController().signal
  return {
    countTokens: countByLength,
    countInsertion: (text) => countByLength(text) + FRAMING_TOKENS,
    signal,
    modelSignal: signal,
    ...over,
  }
}
