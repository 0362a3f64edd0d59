import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of real conversations, given or from PRECIS_DATA; undefined when it is not there. */
export function dataFolder(given = process.env.PRECIS_DATA): string | undefined {
  return given !== undefined && existsSync(join(given, 'README.md')) ? given : undefined
}
