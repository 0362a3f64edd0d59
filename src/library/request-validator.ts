import { createValidatorCompiler } from '../contract/validation/bounded-validator.ts'
import { validationFaults } from '../contract/validation/validation-faults.ts'
import { PrecisError } from '../engine/errors.ts'

/** Whoever calls the library is not a stranger: every fault is listed. */
const compile = /* @__PURE__ */ createValidatorCompiler(() => true)

/**
 * A function that throws PrecisError('invalid-request'), with a fault per place, for a request that
 * does not follow the schema which the service holds its bodies to.
 */
export function requestValidator(schema: object): (request: unknown) => void {
  let validate: ReturnType<typeof compile> | undefined
  return (request) => {
    validate ??= compile(schema)
    const verdict = validate(request)
    if (verdict === true) return
    throw new PrecisError('invalid-request', 'The request breaks its schema.', {
      faults: validationFaults(verdict.error),
    })
  }
}
