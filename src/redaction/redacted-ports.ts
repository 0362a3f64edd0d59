/** Models outside see no secret of a known shape; what comes back from them is put right again. */
import type {
  DecidePort,
  DecideRequest,
  DecisionDocument,
  DecisionState,
  SummarizePort,
} from '../engine/ports.ts'
import { redactTexts } from './redact-texts.ts'

/** The answers are numbers and labels of ours: nothing has to be put back. */
export function redactDecide(port: DecidePort): DecidePort {
  return {
    traits: port.traits,
    decide: async (request) => {
      const redacted = await redactRequest(request).catch(() => undefined)
      if (redacted !== undefined) return port.decide(redacted)
      // What could not be looked through does not leave.
      const { wire, model } = port.traits
      const notAsked = request.questions.length
      return {
        answers: new Map(),
        failure: 'error',
        wire,
        model,
        latencyMs: 0,
        requests: 0,
        notAsked,
      }
    },
  }
}

async function redactRequest(request: DecideRequest): Promise<DecideRequest> {
  const { fields, recent, documents } = request.state
  const names = Object.keys(fields)
  const { texts } = await redactTexts([
    ...Object.values(fields),
    ...recent.map(({ text }) => text),
    ...documents.map(({ text }) => text),
  ])
  const next = texts[Symbol.iterator]()
  const take = (): string => next.next().value ?? ''
  const withText = (document: DecisionDocument): DecisionDocument => ({ ...document, text: take() })
  const state: DecisionState = {
    fields: Object.fromEntries(names.map((name) => [name, take()])),
    recent: recent.map(withText),
    documents: documents.map(withText),
  }
  return { ...request, state }
}

/** A summary that names a secret names it again once it is back. */
export function redactSummarize(port: SummarizePort): SummarizePort {
  return {
    ...port,
    summarize: async (request) => {
      const redacted = await redactTexts([request.instructions, request.input]).catch(
        () => undefined,
      )
      if (redacted === undefined) return { ok: false, failure: 'error', latencyMs: 0 }
      const { texts, restore } = redacted
      const [instructions = '', input = ''] = texts
      const result = await port.summarize({ ...request, instructions, input })
      return result.ok ? { ...result, text: restore(result.text) } : result
    },
  }
}
