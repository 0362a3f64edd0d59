import { PrecisError } from '../../engine/errors.ts'
import { type SchemaError, validationFaults } from './validation-faults.ts'

/** What a request is refused with whose part `where` (body, headers, ...) has these errors. */
export function brokenSchema(where: string, errors: readonly SchemaError[]): PrecisError {
  const faults = validationFaults(errors)
  const rules = faults.length === 1 ? 'a rule' : `${faults.length} rules`
  return new PrecisError('invalid-request', `The ${where} breaks ${rules} of its schema.`, {
    faults,
  })
}
