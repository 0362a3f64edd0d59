import type { DecisionSite } from '../engine/ports.ts'
import type { JsonObject } from '../engine/transcript.ts'
import type { Calibration } from './calibration/calibration.ts'
import { type DeciderName, EMBEDDED_SITES, type RemoteWire } from './wire-names.ts'
import { createChatLogprobsWire } from './wires/chat-logprobs.ts'
import { createGenerativeScoringWire } from './wires/generative-scoring.ts'
import { openaiDecisionsWire } from './wires/openai-decisions.ts'
import { openRouterWire } from './wires/openrouter.ts'
import { createRerankWire } from './wires/rerank.ts'
import type { RerankDialectName } from './wires/rerank-dialects.ts'
import { systemOneWire } from './wires/systemone.ts'
import { vercelWire } from './wires/vercel.ts'
import type { Wire } from './wires/wire.ts'

/** What only some wires have to be told, besides URL, key, model and limits. */
export interface WireSettings {
  readonly dialect?: RerankDialectName
  readonly calibration?: Calibration
  readonly labelTokenIds?: { readonly yes: number; readonly no: number }
  readonly promptTemplate?: string
  readonly extraBody?: JsonObject
}

export interface WireEntry {
  /** Asked for where the configuration names none: the wire's documented alias. Undefined: must be named. */
  readonly model: string | undefined
  /** Settings that it cannot do without. */
  readonly needs: readonly (keyof WireSettings)[]
  /** Settings that it can use. */
  readonly takes: readonly (keyof WireSettings)[]
  /** @throws TypeError without a setting that it needs */
  readonly create: (settings: WireSettings) => Wire
}

const PLAIN = { needs: [], takes: [] } as const

/** The wires over HTTP, and all that configuration and start-up need to know of them. */
export const WIRE_TABLE: Readonly<Record<RemoteWire, WireEntry>> = {
  systemone: { ...PLAIN, model: 'jev-latest', create: () => systemOneWire },
  'openai-decisions': { ...PLAIN, model: 'gpt-6-luna', create: () => openaiDecisionsWire },
  vercel: { ...PLAIN, model: 'typesafe-ai/jev', create: () => vercelWire },
  openrouter: { ...PLAIN, model: '~typesafe/jev-latest', create: () => openRouterWire },
  rerank: {
    model: undefined,
    needs: ['dialect'],
    takes: ['dialect', 'calibration'],
    create: ({ dialect, calibration }) => {
      if (dialect === undefined) throw new TypeError('the rerank wire needs a dialect')
      return createRerankWire({ dialect, ...(calibration !== undefined && { calibration }) })
    },
  },
  'generative-scoring': {
    model: undefined,
    needs: ['labelTokenIds'],
    takes: ['labelTokenIds', 'promptTemplate', 'calibration'],
    create: ({ labelTokenIds, promptTemplate, calibration }) => {
      if (labelTokenIds === undefined) throw new TypeError('generative scoring needs label tokens')
      return createGenerativeScoringWire({
        labelTokenIds,
        ...(promptTemplate !== undefined && { promptTemplate }),
        ...(calibration !== undefined && { calibration }),
      })
    },
  },
  'chat-logprobs': {
    model: undefined,
    needs: [],
    takes: ['extraBody', 'calibration'],
    create: ({ extraBody, calibration }) =>
      createChatLogprobsWire({
        ...(extraBody !== undefined && { extraBody }),
        ...(calibration !== undefined && { calibration }),
      }),
  },
}

/** Settings that a wire needs to be made, not to say what it answers. */
const ANY_SETTINGS: WireSettings = { dialect: 'cohere', labelTokenIds: { yes: 1, no: 0 } }

/** What a decide model of this name can be asked. */
export function sitesOf(name: DeciderName): ReadonlySet<DecisionSite> {
  return name === 'embedded' ? EMBEDDED_SITES : WIRE_TABLE[name].create(ANY_SETTINGS).traits.sites
}
