import { createAppServices } from '../../src/app-services.ts'
import { loadConfig } from '../../src/config.ts'
import { OptionsSchema } from '../../src/contract/options.ts'
import { createEmbeddedDecider } from '../../src/decide/embedded/embedded-decider.ts'
import { MINILM } from '../../src/decide/wire-names.ts'
import type { NamedDecider } from './context.ts'

/** The embedded model, and the one, or the chain, that the environment configures where it configures another. */
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
  const { config } = loadConfig({ PRECIS_LOG_LEVEL: 'silent', ...configured }, OptionsSchema)
  const names = config.decide.links.map((link) =>
    link.wire === 'embedded' && link.minilm !== undefined ? MINILM : link.wire,
  )
  if (names.every((name) => name === 'embedded')) return [embedded]
  const { decide } = createAppServices(config).conversation
  return decide === undefined
    ? [embedded]
    : [embedded, { name: names.join(' then '), decide, environment: configured }]
}

/** The service without a decide model. */
export const WITHOUT_DECIDER = { PRECIS_DECIDE_WIRE: 'none' } as const
