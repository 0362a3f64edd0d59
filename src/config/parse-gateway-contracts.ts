import { GATEWAY_CONTRACTS, type GatewayContract } from '../contract/gateways/names.ts'

/** How no contract at all is written: an empty variable counts as unset. */
const NONE = 'none'

/** The contracts that a comma separated list names, each once; undefined where it names another. */
export function parseGatewayContracts(text: string): readonly GatewayContract[] | undefined {
  if (text.trim() === NONE) return []
  const words = text.split(',').map((word) => word.trim())
  const isKnown = words.every((word) => (GATEWAY_CONTRACTS as readonly string[]).includes(word))
  return isKnown ? GATEWAY_CONTRACTS.filter((name) => words.includes(name)) : undefined
}
