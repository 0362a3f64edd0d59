import { CheckBodySchema } from '../contract/check.ts'
import { CompactBodySchema } from '../contract/compact.ts'
import { AgentgatewayBodySchema } from '../contract/gateways/agentgateway.ts'
import { HeadroomBodySchema } from '../contract/gateways/headroom.ts'
import { JsonRpcBodySchema, KongCompressBodySchema } from '../contract/gateways/kong.ts'
import { LitellmGuardrailBodySchema } from '../contract/gateways/litellm-guardrail.ts'
import { PortkeyBodySchema } from '../contract/gateways/portkey.ts'
import { agentgatewayWork } from '../http/gateways/agentgateway-work.ts'
import { headroomWork } from '../http/gateways/headroom-work.ts'
import { kongJsonRpcWork, kongWork } from '../http/gateways/kong-work.ts'
import { litellmGuardrailWork } from '../http/gateways/litellm-guardrail-work.ts'
import { portkeyWork } from '../http/gateways/portkey-work.ts'
import { proxyWork } from '../proxy/proxy-work.ts'
import { checkWork } from './check-work.ts'
import { compactWork } from './compact-work.ts'
import type { Work } from './work.ts'

interface WorkEntry {
  readonly work: Work<never, unknown>
  /** Of the JSON body, which is parsed and validated before; without one the work reads the bytes itself. */
  readonly schema: object | undefined
}

/** All work that can be done on another thread. */
export const WORK = {
  compact: { work: compactWork, schema: CompactBodySchema },
  check: { work: checkWork, schema: CheckBodySchema },
  headroom: { work: headroomWork, schema: HeadroomBodySchema },
  portkey: { work: portkeyWork, schema: PortkeyBodySchema },
  litellm: { work: litellmGuardrailWork, schema: LitellmGuardrailBodySchema },
  kong: { work: kongWork, schema: KongCompressBodySchema },
  'kong-json-rpc': { work: kongJsonRpcWork, schema: JsonRpcBodySchema },
  agentgateway: { work: agentgatewayWork, schema: AgentgatewayBodySchema },
  proxy: { work: proxyWork, schema: undefined },
} as const satisfies Record<string, WorkEntry>

export type WorkName = keyof typeof WORK

type WorkOf<Name extends WorkName> = (typeof WORK)[Name]['work']

export type AskOf<Name extends WorkName> = Parameters<WorkOf<Name>>[1]

export type ToldOf<Name extends WorkName> = Awaited<ReturnType<WorkOf<Name>>>['told']

/** Any work of the table, for whoever has got an `ask` that fits it. */
export function workOf(name: WorkName): Work<unknown, unknown> {
  return WORK[name].work as Work<never, unknown> as Work<unknown, unknown>
}
