import { Ajv, type ErrorObject, type Options } from 'ajv'

/** Looks at one value: `true`, or what is wrong with it. */
export interface BoundedValidator {
  (data: unknown, context?: ValidationContext): true | { readonly error: ErrorObject[] }
  /** Fastify hands the context only to a function that has one of these, as Ajv's have. */
  readonly schemaEnv: unknown
}

interface ValidationContext {
  /** What holds the value: the request. */
  readonly parentData?: unknown
}

/**
 * Ajv as Fastify sets it up turns 12 into "12", deletes members that it does not know and fills in
 * defaults: a service that promises not to change a conversation does none of it, and these are
 * Ajv's own defaults.
 */
const OPTIONS: Options = { addUsedSchema: false }

/**
 * Compiles schemas into validators that stop at the first fault, so that what an invalid value costs
 * does not depend on how many faults its sender has put into it. Only where `mayListAll(holder)` is
 * true is an invalid value looked at again, for every fault. Schemas must not refer to shared ones.
 */
export function createValidatorCompiler(
  mayListAll: (holder: unknown) => boolean,
): (schema: object) => BoundedValidator {
  const first = new Ajv({ ...OPTIONS, allErrors: false })
  const all = new Ajv({ ...OPTIONS, allErrors: true })
  return (schema) => {
    const validate = first.compile(schema)
    const list = all.compile(schema)
    const validator = (data: unknown, context?: ValidationContext) => {
      if (validate(data)) return true
      const chosen = mayListAll(context?.parentData) ? list : validate
      if (chosen === list) list(data)
      const error = chosen.errors ?? []
      // Ajv would hold on to them until its next call.
      chosen.errors = null
      return { error }
    }
    return Object.assign(validator, { schemaEnv: validate.schemaEnv })
  }
}
