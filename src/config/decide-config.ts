import { DECIDERS, DECISION_SITES, type DeciderName } from '../decide/wire-names.ts'
import { sitesOf } from '../decide/wire-table.ts'
import type { DecisionSite } from '../engine/ports.ts'
import { type LinkPrefix, type RemoteLinkConfig, readLink } from './decide-link.ts'
import { FALLBACK_PREFIX, PRIMARY_PREFIX } from './decide-variables.ts'
import { type MinilmConfig, readMinilm } from './minilm-config.ts'
import { type Fault, readNames } from './read-names.ts'
import type { Variables } from './schema.ts'

export interface EmbeddedLinkConfig {
  readonly wire: 'embedded'
  /** Asked before the static model. Undefined: that one alone. */
  readonly minilm?: MinilmConfig
}

export type DecideLinkConfig = EmbeddedLinkConfig | RemoteLinkConfig

export interface DecideConfig {
  /** In the order in which they are asked, each wire once; empty where deciding is switched off. */
  readonly links: readonly DecideLinkConfig[]
  /** What the decide model is asked for; undefined for all that it answers. */
  readonly sites: readonly DecisionSite[] | undefined
}

/** Reads what configures the decide model, and tells `fault` of all that cannot work. */
export function readDecideConfig(variables: Variables, fault: Fault): DecideConfig {
  const names = readChain(variables, fault)
  const prefixes: LinkPrefix[] = [PRIMARY_PREFIX, FALLBACK_PREFIX]
  const links: DecideLinkConfig[] = []
  for (const wire of names) {
    if (wire === 'embedded') {
      links.push(readEmbedded(variables, fault))
      continue
    }
    const prefix = prefixes.shift()
    if (prefix === undefined) fault('PRECIS_DECIDE_CHAIN', 'must name at most two wires over HTTP')
    else links.push(readLink(wire, prefix, variables, fault))
  }
  if (prefixes.includes(FALLBACK_PREFIX)) {
    refuseUnused(
      FALLBACK_PREFIX,
      'PRECIS_DECIDE_CHAIN names no second wire over HTTP',
      variables,
      fault,
    )
  }
  // Where deciding is switched off, its settings may wait for being switched on again.
  if (prefixes.includes(PRIMARY_PREFIX) && names.length > 0) {
    refuseUnused(PRIMARY_PREFIX, 'PRECIS_DECIDE_WIRE names no wire over HTTP', variables, fault)
  }
  if (variables.PRECIS_DECIDE_EMBEDDED_MODEL !== 'static' && !names.includes('embedded')) {
    fault('PRECIS_DECIDE_EMBEDDED_MODEL', 'is set, but no model in this process is configured')
  }
  return { links, sites: readSites(variables, names, fault) }
}

function readEmbedded(variables: Variables, fault: Fault): EmbeddedLinkConfig {
  if (variables.PRECIS_DECIDE_EMBEDDED_MODEL === 'static') return { wire: 'embedded' }
  return { wire: 'embedded', minilm: readMinilm(variables, fault) }
}

function readChain(variables: Variables, fault: Fault): readonly DeciderName[] {
  const { PRECIS_DECIDE_WIRE: wire, PRECIS_DECIDE_CHAIN: text } = variables
  if (text === undefined) return wire === 'none' ? [] : [wire as DeciderName]
  const names = readNames('PRECIS_DECIDE_CHAIN', text, DECIDERS, fault)
  // Its default cannot be told from the same word in the environment, so that one is let through.
  if (wire !== 'embedded' && names.length > 0 && names[0] !== wire) {
    fault('PRECIS_DECIDE_WIRE', 'must be unset, or the first of PRECIS_DECIDE_CHAIN')
  }
  return names
}

/** Settings of a server that nothing asks are a model, or a chain, that somebody believes to be there. */
function refuseUnused(prefix: LinkPrefix, why: string, variables: Variables, fault: Fault): void {
  for (const name of ['URL', 'API_KEY', 'MODEL'] as const) {
    if (variables[`${prefix}${name}`] !== undefined) fault(`${prefix}${name}`, `is set, but ${why}`)
  }
}

function readSites(
  variables: Variables,
  names: readonly DeciderName[],
  fault: Fault,
): readonly DecisionSite[] | undefined {
  const { PRECIS_DECIDE_SITES: text } = variables
  if (text === undefined) return undefined
  const sites = readNames('PRECIS_DECIDE_SITES', text, DECISION_SITES, fault)
  for (const site of sites) {
    if (names.some((name) => sitesOf(name).has(site))) continue
    fault('PRECIS_DECIDE_SITES', `asks for ${site}, which no configured wire answers`)
  }
  return sites
}
