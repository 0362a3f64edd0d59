import type { VariableName } from './schema.ts'

/** Told of every variable that breaks a rule. */
export type Fault = (variable: VariableName, detail: string) => void

/** A comma separated list of known names, each once; the ones that are not are told to `fault`. */
export function readNames<Name extends string>(
  variable: VariableName,
  text: string,
  known: readonly Name[],
  fault: Fault,
): readonly Name[] {
  const words = text.split(',').map((word) => word.trim())
  const names = words.flatMap((word) => known.find((name) => name === word) ?? [])
  if (names.length < words.length) {
    fault(variable, `must be a comma separated list of ${known.join(', ')}`)
  }
  if (new Set(names).size < names.length) fault(variable, 'must name each only once')
  return [...new Set(names)]
}
