import type { FastifyPluginAsync } from 'fastify'
import type { GatewayContract } from '../../contract/gateways/names.ts'
import { showGatewayZeros } from '../../telemetry/zero-series.ts'
import { agentgatewayContract } from './agentgateway.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { headroomContract } from './headroom.ts'
import { kongContract } from './kong.ts'
import { litellmGuardrailContract } from './litellm-guardrail.ts'
import { portkeyContract } from './portkey.ts'

const CONTRACTS: Readonly<Record<GatewayContract, FastifyPluginAsync<GatewayOptions>>> = {
  headroom: headroomContract,
  portkey: portkeyContract,
  litellm: litellmGuardrailContract,
  kong: kongContract,
  agentgateway: agentgatewayContract,
}

export interface GatewayContractsOptions extends GatewayOptions {
  readonly names: readonly GatewayContract[]
}

/** The routes of each contract that is named, with error shapes of its own. */
export const gatewayContracts: FastifyPluginAsync<GatewayContractsOptions> = async (
  app,
  { names, ...options },
) => {
  for (const name of names) {
    showGatewayZeros(options.metrics, name)
    await app.register(CONTRACTS[name], options)
  }
}
