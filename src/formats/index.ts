import type { FormatId } from './adapter.ts'
import { FORMATS } from './registry.ts'

export { detectFormat } from './detect-format.ts'
export { FORMATS }

export function isFormatId(name: string): name is FormatId {
  return Object.hasOwn(FORMATS, name)
}
