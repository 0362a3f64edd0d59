import type { DecidePort, DecisionSite } from '../engine/ports.ts'

/** A decide model that is asked for some sites only; for the others the run goes on as if without one. */
export function restrictSites(port: DecidePort, sites: readonly DecisionSite[]): DecidePort {
  const kept = sites.filter((site) => port.traits.sites.has(site))
  return { traits: { ...port.traits, sites: new Set(kept) }, decide: port.decide }
}
