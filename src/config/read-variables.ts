import { envSchema } from 'env-schema'
import type { OptionVariable } from './option-variables.ts'
import type { ConfigFault } from './rules.ts'
import { ConfigSchema } from './schema.ts'

export type Environment = Readonly<Record<string, string | undefined>>

interface SchemaError {
  readonly instancePath: string
  readonly keyword: string
  readonly message?: string
  readonly params: Readonly<Record<string, unknown>>
}

export type ReadVariables =
  | { readonly ok: true; readonly values: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly faults: readonly ConfigFault[] }

/**
 * Coerces and checks the environment against one schema, every fault of every variable at once.
 * An empty string counts as unset: that is how compose files and CI pass a variable that they lack.
 */
export function readVariables(
  environment: Environment,
  options: readonly OptionVariable[],
): ReadVariables {
  const data = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const schema = {
    ...ConfigSchema,
    properties: {
      ...ConfigSchema.properties,
      ...Object.fromEntries(options.map(({ name, variable }) => [name, variable])),
    },
  }
  try {
    return { ok: true, values: envSchema({ schema, data, env: false, dotenv: false }) }
  } catch (error) {
    const errors = (error as { errors?: readonly SchemaError[] }).errors
    if (errors === undefined) throw error
    return { ok: false, faults: toFaults(errors) }
  }
}

/** One fault per variable: where a union fails, every member of it complains. */
function toFaults(errors: readonly SchemaError[]): readonly ConfigFault[] {
  const faults = new Map<string, string[]>()
  for (const error of errors) {
    const variable = error.instancePath.slice(1)
    if (error.keyword === 'anyOf') continue
    const details = faults.get(variable) ?? []
    const detail = describe(error)
    if (!details.includes(detail)) details.push(detail)
    faults.set(variable, details)
  }
  return Array.from(faults, ([variable, details]) => ({ variable, detail: details.join(' or ') }))
}

function describe({ keyword, message, params }: SchemaError): string {
  if (keyword === 'enum') return `must be one of ${(params.allowedValues as string[]).join(', ')}`
  if (keyword === 'const') return `the word ${String(params.allowedValue)}`
  return message ?? `breaks the rule ${keyword}`
}
