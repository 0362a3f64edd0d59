import fastifyPlugin from 'fastify-plugin'
import { createValidatorCompiler } from '../../contract/validation/bounded-validator.ts'
import { FOR_WORKER } from './json-body.ts'

/**
 * Largest body of which every fault is listed. Worst case, measured: 170,000 bad pins make 510,000
 * errors, 80 MB of them, which are gone after the answer.
 */
export const MAX_LISTED_BYTES = 512 * 1024

/** Validates requests at a cost that the number of their faults does not drive. */
export const boundedValidation = fastifyPlugin(
  async (app) => {
    const compile = createValidatorCompiler(isSmall)
    app.setValidatorCompiler<object>(({ schema }) => {
      const validate = compile(schema)
      const unlessForWorker: typeof validate = Object.assign(
        (...[data, context]: Parameters<typeof validate>) =>
          data === FOR_WORKER ? true : validate(data, context),
        { schemaEnv: validate.schemaEnv },
      )
      return unlessForWorker
    })
    // The problem document is made of the errors themselves; Fastify would join all their messages.
    app.setSchemaErrorFormatter(() => new Error('The request breaks its schema.'))
  },
  { name: 'bounded-validation', fastify: '5.x', dependencies: ['json-body'] },
)

/** Whether what holds the value is a request with a body that may be looked at twice. */
function isSmall(holder: unknown): boolean {
  return (
    typeof holder === 'object' &&
    holder !== null &&
    'bodyBytes' in holder &&
    typeof holder.bodyBytes === 'number' &&
    holder.bodyBytes <= MAX_LISTED_BYTES
  )
}
