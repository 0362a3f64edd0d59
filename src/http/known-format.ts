import { PrecisError } from '../engine/errors.ts'
import { FORMAT_IDS, type FormatId } from '../formats/adapter.ts'

/** Throws PrecisError('unknown-format') for a name that is none. */
export function toFormat(name: string | undefined): FormatId | undefined {
  if (name === undefined) return undefined
  const known = FORMAT_IDS.find((id) => id === name)
  if (known !== undefined) return known
  throw new PrecisError('unknown-format', `The format must be one of ${FORMAT_IDS.join(', ')}.`, {
    faults: [
      {
        pointer: '/format',
        rule: 'known-format',
        detail: `must be one of ${FORMAT_IDS.join(', ')}`,
      },
    ],
  })
}
