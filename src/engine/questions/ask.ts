import type { DecidePort, DecideRequest, DecideResult, Ports } from '../ports.ts'

/**
 * Asks, and turns a throw into a failed result: whatever a decide model does, the run goes on
 * without it. Only the caller's own going away stops it, between stages.
 */
export async function ask(
  decide: DecidePort,
  request: Omit<DecideRequest, 'signal'>,
  ports: Pick<Ports, 'modelSignal' | 'modelDeadlineAt'>,
): Promise<DecideResult> {
  const nothing = {
    answers: new Map(),
    wire: decide.traits.wire,
    model: decide.traits.model,
    latencyMs: 0,
    requests: 0,
    notAsked: 0,
  }
  if (ports.modelSignal.aborted) return { ...nothing, failure: 'deadline' }
  try {
    const result = await decide.decide({
      ...request,
      signal: ports.modelSignal,
      ...(ports.modelDeadlineAt !== undefined && { deadlineAt: ports.modelDeadlineAt }),
    })
    // A body without answers is no answer, however well it arrived.
    if (!(result?.answers instanceof Map)) return { ...nothing, failure: 'malformed-answer' }
    return result
  } catch {
    return { ...nothing, failure: ports.modelSignal.aborted ? 'deadline' : 'error' }
  }
}
