import type { Measurement } from '../lib/context.ts'
import { composites } from './composites.ts'
import { embeddedCost } from './embedded-cost.ts'
import { injection } from './injection.ts'
import { locomo } from './locomo.ts'
import { locomoPipeline } from './locomo-pipeline.ts'
import { plantedFacts } from './planted-facts.ts'
import { recordedSessions } from './recorded-sessions.ts'
import { standingConstraints } from './standing-constraints.ts'

/** In the order in which they run and are reported. */
export const MEASUREMENTS: readonly Measurement[] = [
  locomo,
  locomoPipeline,
  composites,
  plantedFacts,
  standingConstraints,
  recordedSessions,
  injection,
  embeddedCost,
]
