import type { TObject, TSchema } from 'typebox'
import { Value } from 'typebox/value'

/** How a `null` is written in the environment, where there are only strings. */
const NULL_WORD = 'null'

/** One option of the engine as an environment variable. */
export interface OptionVariable {
  /** `PRECIS_OPTION_<STAGE>_<NAME>`, or `PRECIS_OPTION_<NAME>` for an option of no stage. */
  readonly name: string
  /** Where the value goes: stage and option, or the option alone. */
  readonly path: readonly string[]
  /** What the caller's value must follow. */
  readonly option: TSchema
  /** The same for a string out of the environment, without a default: unset means the preset decides. */
  readonly variable: JsonSchema
}

type JsonSchema = Readonly<Record<string, unknown>>

/** Wide view of a TypeBox schema; its static type says nothing about keywords. */
interface Keywords {
  readonly type?: string
  readonly anyOf?: readonly TSchema[]
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly default?: unknown
  readonly description?: string
}

const keywordsOf = (schema: TSchema): Keywords => schema as Keywords

/**
 * Names every option of the options schema: an object of options, or of stage objects of options.
 * Options are numbers, integers, booleans, strings, enums, lists of strings (comma separated), or any
 * of these or null (the word `null`). Throws for anything else, which would be a new kind to decide on.
 */
export function optionVariables(options: TObject): readonly OptionVariable[] {
  return Object.entries(options.properties).flatMap(([name, member]) => {
    const stage = keywordsOf(member).properties
    if (stage === undefined) return [toVariable([name], member)]
    return Object.entries(stage).map(([option, schema]) => toVariable([name, option], schema))
  })
}

function toVariable(path: readonly string[], option: TSchema): OptionVariable {
  return {
    name: `PRECIS_OPTION_${path.map(screamingSnake).join('_')}`,
    path,
    option,
    variable: { ...variableSchema(path, option), description: keywordsOf(option).description },
  }
}

function screamingSnake(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()
}

function variableSchema(path: readonly string[], option: TSchema): JsonSchema {
  const { default: _default, ...rest } = { ...option } as Keywords
  if (rest.anyOf !== undefined) {
    return {
      anyOf: rest.anyOf.map((member) =>
        keywordsOf(member).type === 'null' ? { const: NULL_WORD } : variableSchema(path, member),
      ),
    }
  }
  if (rest.type === 'array') return { type: 'string', separator: ',' }
  if (rest.type === 'object') {
    throw new Error(`option ${path.join('.')} is of a kind that no environment variable can hold`)
  }
  return rest as JsonSchema
}

export interface DecodedOptions {
  /** Nested as in a request; only what the environment sets. */
  readonly options: Readonly<Record<string, unknown>>
  /** Variables whose list does not follow the option's schema. */
  readonly invalid: readonly string[]
}

/** Nests the values that the environment schema has let through. */
export function decodeOptions(
  variables: readonly OptionVariable[],
  values: Readonly<Record<string, unknown>>,
): DecodedOptions {
  const options: Record<string, unknown> = {}
  const invalid: string[] = []
  for (const { name, path, option } of variables) {
    if (values[name] === undefined) continue
    const value = decodeValue(values[name])
    if (!Value.Check(option, value)) {
      invalid.push(name)
      continue
    }
    const [first = '', second] = path
    if (second === undefined) options[first] = value
    else options[first] = { ...(options[first] as object | undefined), [second]: value }
  }
  return { options, invalid }
}

function decodeValue(value: unknown): unknown {
  if (value === NULL_WORD) return null
  if (Array.isArray(value)) {
    return value.map((item) => String(item).trim()).filter((item) => item !== '')
  }
  return value
}
