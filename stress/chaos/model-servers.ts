import type { DecideServer } from '../../test/helpers/decide-servers/decide-server.ts'
import type { Fault } from '../../test/helpers/decide-servers/fault.ts'
import {
  createSystemOneServer,
  SYSTEM_ONE_KEY,
} from '../../test/helpers/decide-servers/system-one-server.ts'
import { type ScriptedAnswer, startSummarizerServer } from '../../test/helpers/summarizer-server.ts'
import { GOOD_SUMMARY, summarizerVariables } from '../../test/helpers/summarizer-variables.ts'
import { openLink, type WayFault } from './link.ts'

export type ModelDependency = 'decide' | 'summarizer'

/** One of the three: on the way, at the decide server, or in what the summariser's model says. */
export type ModelFault =
  | { readonly way: WayFault }
  | { readonly decide: Fault }
  | { readonly summarizer: ScriptedAnswer }

export interface ModelServers {
  /** For a service that asks both; that which fails is asked by a way that can fail. */
  readonly environment: Readonly<Record<string, string>>
  readonly begin: () => Promise<void>
  readonly end: () => Promise<void>
  readonly close: () => Promise<void>
}

/** The default. */
export const DEADLINE_MS = 30_000
/** Where silence is the fault, short, so that seconds see many attempts fail; elsewhere nothing is to end by it. */
const TIMEOUTS_MS = {
  ofSilence: { decide: 3_000, summarizer: 4_000 },
  ofOthers: { decide: 10_000, summarizer: 10_000 },
}

/** Large enough for the largest conversation, at four characters a token. */
const CONTEXT_TOKENS = 400_000

/** A decide server and a summariser that do their work, until the fault begins, and after it ends. */
export async function startModelServers(
  dependency: ModelDependency,
  fault: ModelFault,
): Promise<ModelServers> {
  const decide = await startDecideServer()
  const summarizer = await startSummarizerServer({ contextTokens: CONTEXT_TOKENS })
  const speakWell = () => summarizer.script({ kind: 'summary', text: GOOD_SUMMARY })
  speakWell()
  const target = dependency === 'decide' ? decide.origin : new URL(summarizer.openaiUrl).origin
  const timeouts = TIMEOUTS_MS[isSilence(fault) ? 'ofSilence' : 'ofOthers']
  const link = await openLink(target, 'way' in fault ? fault.way : undefined)
  const { pathname } = new URL(summarizer.openaiUrl)

  return {
    environment: {
      ...link.environment,
      PRECIS_REQUEST_DEADLINE_MS: String(DEADLINE_MS),
      PRECIS_DECIDE_WIRE: 'systemone',
      PRECIS_DECIDE_URL:
        dependency === 'decide' ? decide.url.replace(target, link.origin) : decide.url,
      PRECIS_DECIDE_API_KEY: SYSTEM_ONE_KEY,
      PRECIS_DECIDE_TIMEOUT_MS: String(timeouts.decide),
      // Where the summariser fails, nothing else is to bring a conversation below its target.
      ...(dependency === 'summarizer' && { PRECIS_DECIDE_SITES: 'summary-gate' }),
      ...summarizerVariables('openai', summarizer, timeouts.summarizer),
      ...(dependency === 'summarizer' && { PRECIS_SUMMARIZER_URL: `${link.origin}${pathname}` }),
    },
    begin: async () => {
      if ('way' in fault) await link.setFault(fault.way)
      else if ('decide' in fault) decide.setFault(fault.decide)
      else summarizer.script(fault.summarizer)
    },
    end: async () => {
      decide.setFault(undefined)
      speakWell()
      await link.setFault(undefined)
    },
    close: async () => {
      await link.close()
      await decide.close()
      await summarizer.close()
    },
  }
}

export function isSilence(fault: ModelFault): boolean {
  return 'way' in fault && (fault.way === 'hang' || fault.way === 'drip')
}

/** Sure that every second message is not needed, and a gate that misses the constraints where they are gone. */
function startDecideServer(): Promise<DecideServer> {
  return createSystemOneServer({
    answer: ({ id }, state) => {
      if (id === 'is_refusal') return 0.02
      if (id === 'preserves') return holdsConstraints(state) ? 0.95 : 0.02
      return Number(id.replace(/\D+/g, '')) % 2 === 0 ? 0.03 : 0.9
    },
  })
}

function holdsConstraints(state: unknown): boolean {
  return JSON.stringify(state).includes('Constraints and Preferences')
}
