import { readFileSync } from 'node:fs'

/** Columns of the table. */
export const WIDTH = 128

export const TABLE_FILE = new URL('table/static-table.bin', import.meta.url)

/** First bytes of the file: what it is and the version of its layout. */
export const TABLE_MAGIC = 'PSTB0001'
export const HEADER_BYTES = 16

/** One row of small integers for each WordPiece, and what one unit of a row is worth. */
export interface StaticTable {
  readonly pieces: readonly string[]
  readonly scales: Float64Array
  readonly rows: Int8Array
}

/**
 * Layout, little endian: magic, number of pieces, bytes of the vocabulary; the vocabulary in UTF-8, a line
 * for each piece; a 32-bit float for each row; the rows. Written by scripts/build-embedding.ts.
 */
export function readStaticTable(file: URL = TABLE_FILE): StaticTable {
  const bytes = readFileSync(file)
  if (bytes.toString('latin1', 0, TABLE_MAGIC.length) !== TABLE_MAGIC) {
    throw new Error('The embedding table is not of the layout that this version reads.')
  }
  const count = bytes.readUInt32LE(8)
  const scalesAt = HEADER_BYTES + bytes.readUInt32LE(12)
  const rowsAt = scalesAt + 4 * count
  if (bytes.length !== rowsAt + count * WIDTH) throw new Error('The embedding table is cut short.')
  return {
    pieces: bytes.toString('utf8', HEADER_BYTES, scalesAt).split('\n'),
    scales: Float64Array.from({ length: count }, (_, row) => bytes.readFloatLE(scalesAt + 4 * row)),
    rows: new Int8Array(bytes.buffer, bytes.byteOffset + rowsAt, count * WIDTH),
  }
}
