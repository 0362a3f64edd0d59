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
 * rule, and a detail made of schema text only. Linear in the number of errors, which the sender of a
 * body chooses.
 */
export function validationFaults(errors: readonly SchemaError[]): readonly Fault[] {
  const places = groupByPlace(errors)
  const entered = parentsOf(places.keys())
  const unionFaults: Fault[] = []
  const otherFaults: Fault[] = []
  for (const [path, found] of places) {
    const members = found.filter(({ keyword }) => !isUnion(keyword))
    if (members.length === found.length) for (const error of found) otherFaults.push(toFault(error))
    // A member that went further into the value than its type has found what is wrong there.
    else if (!entered.has(path)) unionFaults.push(toUnionFault(path, members))
  }
  return withoutRepetitions([...unionFaults, ...otherFaults])
}

function groupByPlace(errors: readonly SchemaError[]): ReadonlyMap<string, readonly SchemaError[]> {
  const places = new Map<string, SchemaError[]>()
  for (const error of errors) {
    const place = places.get(error.instancePath)
    if (place === undefined) places.set(error.instancePath, [error])
    else place.push(error)
  }
  return places
}

/** Every pointer that leads to one of these, without themselves. */
function parentsOf(paths: Iterable<string>): ReadonlySet<string> {
  const parents = new Set<string>()
  for (const path of paths) {
    let end = path.lastIndexOf('/')
    while (end !== -1) {
      const parent = path.slice(0, end)
      // Its own parents were added with it.
      if (parents.has(parent)) break
      parents.add(parent)
      end = parent.lastIndexOf('/')
    }
  }
  return parents
}

/** Every member of a union complains on its own; together they say what would be right. */
function toUnionFault(path: string, members: readonly SchemaError[]): Fault {
  const details = new Set(members.map(describeMember))
  return {
    pointer: cutPointer(path),
    rule: members.every(({ keyword }) => keyword === 'type') ? 'type' : 'anyOf',
    detail: `must be ${[...details].join(' or ')}`,
  }
}

/** Members of a union may find the same fault at the same place. */
function withoutRepetitions(faults: readonly Fault[]): readonly Fault[] {
  return [
    ...new Map(
      faults.map((fault) => [`${fault.pointer}\n${fault.rule}\n${fault.detail}`, fault]),
    ).values(),
  ]
}

/** What one member of a union would take, to follow "must be". */
function describeMember(error: SchemaError): string {
  switch (error.keyword) {
    case 'required':
      return `an object with ${String(error.params.missingProperty)}`
    case 'additionalProperties':
      return 'an object without other members'
    default:
      return describe(error).replace(/^must be /, '')
  }
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
