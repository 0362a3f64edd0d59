import type { Fault } from '../../engine/errors.ts'
import { appendPointer, cutPointer } from './json-pointer.ts'

/** The part of an Ajv error that is read here; Fastify types `params` no closer. */
export interface SchemaError {
  readonly keyword: string
  readonly instancePath: string
  readonly message?: string
  readonly params: Readonly<Record<string, unknown>>
}

/**
 * Turns Ajv's errors into faults: the pointer of the very member that is wrong, the keyword as the
 * rule, and a detail made of schema text only.
 */
export function validationFaults(errors: readonly SchemaError[]): readonly Fault[] {
  const unions = new Set(
    errors
      .filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
      .map(({ instancePath }) => instancePath),
  )
  const faults: Fault[] = []
  for (const path of unions) {
    // Every member of a union complains on its own; together they say what would be right.
    const members = errors.filter(
      ({ keyword, instancePath }) => instancePath === path && !isUnion(keyword),
    )
    const details = new Set(members.map((error) => describe(error).replace(/^must be /, '')))
    faults.push({
      pointer: cutPointer(path),
      rule: members.every(({ keyword }) => keyword === 'type') ? 'type' : 'anyOf',
      detail: `must be ${[...details].join(' or ')}`,
    })
  }
  for (const error of errors) {
    if (!unions.has(error.instancePath)) faults.push(toFault(error))
  }
  return faults
}

function isUnion(keyword: string): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf'
}

function toFault(error: SchemaError): Fault {
  return { pointer: pointerOf(error), rule: error.keyword, detail: describe(error) }
}

function pointerOf({ keyword, instancePath, params }: SchemaError): string {
  if (keyword === 'additionalProperties') {
    return appendPointer(instancePath, String(params.additionalProperty))
  }
  if (keyword === 'required') return appendPointer(instancePath, String(params.missingProperty))
  return cutPointer(instancePath)
}

function describe({ keyword, message, params }: SchemaError): string {
  switch (keyword) {
    case 'additionalProperties':
      return 'is not a member that is known here'
    case 'required':
      return 'is required'
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).map(String).join(', ')}`
    case 'const':
      return `must be ${String(params.allowedValue)}`
    default:
      return message ?? `breaks the rule ${keyword}`
  }
}
