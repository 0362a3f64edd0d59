import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of real conversations, from PRECIS_DATA; undefined when it is not there. */
export function dataFolder(): string | undefined {
  const folder = process.env.PRECIS_DATA
  return folder !== undefined && existsSync(join(folder, 'README.md')) ? folder : undefined
}
