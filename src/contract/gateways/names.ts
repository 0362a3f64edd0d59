/** Contracts of other people's gateways that the service answers, by who calls them. */
export const GATEWAY_CONTRACTS = [
  /** Headroom's compress endpoint: LiteLLM, Portkey, Kong, agentgateway. */
  'headroom',
  /** Portkey's webhook guardrail. */
  'portkey',
  /** LiteLLM's Generic Guardrail API. */
  'litellm',
  /** Kong's AI Prompt Compressor with an LLMLingua service. */
  'kong',
  /** agentgateway's prompt guard webhook. */
  'agentgateway',
] as const

export type GatewayContract = (typeof GATEWAY_CONTRACTS)[number]

/** What became of a request of a gateway, as the header `x-precis-outcome` and metrics say it. */
export const GATEWAY_OUTCOMES = [
  /** Within its budget, or not to be made smaller. */
  'unchanged',
  'compacted',
  /** Made smaller, and still over its budget. */
  'partial',
  /** The caller asked for it. */
  'bypassed',
  /** Not understood, or not in time: nothing was changed, and the header `x-precis-reason` says why. */
  'passed',
  /** Answered with an error of the contract. */
  'refused',
] as const

export type GatewayOutcome = (typeof GATEWAY_OUTCOMES)[number]
