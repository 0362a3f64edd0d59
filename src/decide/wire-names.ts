import type { DecisionSite } from '../engine/ports.ts'

/** Wires over HTTP: the values of configuration, and of the `wire` label of metrics. */
export const REMOTE_WIRES = [
  'systemone',
  'openai-decisions',
  'vercel',
  'openrouter',
  'rerank',
  'generative-scoring',
  'chat-logprobs',
] as const
export type RemoteWire = (typeof REMOTE_WIRES)[number]

/** Everything that can judge: one model in this process, and the wires. */
export const DECIDERS = ['embedded', ...REMOTE_WIRES] as const
export type DeciderName = (typeof DECIDERS)[number]

/** The better tier of `embedded`, in reports and metrics, where it stands beside the static model. */
export const MINILM = 'minilm'

export const DECISION_SITES = [
  'relevance',
  'summary-gate',
  'context-scope',
] as const satisfies readonly DecisionSite[]

/** What the embedded model answers. Known here so that configuration can be checked without it. */
export const EMBEDDED_SITES: ReadonlySet<DecisionSite> = new Set<DecisionSite>(['relevance'])
