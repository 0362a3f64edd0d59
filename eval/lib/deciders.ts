import { createAppServices } from '../../src/app-services.ts'
import { loadConfig } from '../../src/config.ts'
import { OptionsSchema } from '../../src/contract/options.ts'
import { createEmbeddedDecider } from '../../src/decide/embedded/embedded-decider.ts'
import { MINILM } from '../../src/decide/wire-names.ts'
import type { NamedDecider } from './context.ts'

/** The embedded model, and the one that the environment configures where it configures another. */
export function listDeciders(environment: NodeJS.ProcessEnv): NamedDecider[] {
  const embedded: NamedDecider = {
    name: 'embedded',
    decide: createEmbeddedDecider(),
    environment: { PRECIS_DECIDE_WIRE: 'embedded' },
  }
  const configured = Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] =>
        entry[0].startsWith('PRECIS_DECIDE_') && entry[1] !== undefined,
    ),
  )
  const wire = configured.PRECIS_DECIDE_WIRE ?? 'embedded'
  const hasTier = configured.PRECIS_DECIDE_EMBEDDED_MODEL === MINILM
  if (wire === 'none' || (wire === 'embedded' && !hasTier)) return [embedded]
  const { config } = loadConfig({ PRECIS_LOG_LEVEL: 'silent', ...configured }, OptionsSchema)
  const { decide } = createAppServices(config).conversation
  return decide === undefined
    ? [embedded]
    : [embedded, { name: hasTier ? MINILM : wire, decide, environment: configured }]
}

/** The service without a decide model. */
export const WITHOUT_DECIDER = { PRECIS_DECIDE_WIRE: 'none' } as const
