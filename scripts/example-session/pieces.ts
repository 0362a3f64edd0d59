import { readFileSync } from 'node:fs'

/** A longer text of the session: a file that its agent writes, or what a command prints. */
export function readPiece(name: string): string {
  return readFileSync(new URL(`pieces/${name}.txt`, import.meta.url), 'utf8')
}
