import type { Base64Bytes } from './base64.ts'

/** Bytes that are scanned at the head, where linearised files say it, and at the tail. */
const HEAD = 1 << 20
const TAIL = 1 << 20

/** Borders of objects, and what an object says of itself; one pass, whatever the bytes. */
const MARK = /\bobj\b|\bendobj\b|\/Type\s{0,8}\/Pages?\b|\/Count\s{1,8}\d{1,6}\b/g

const LINEARISED = /\/Linearized\b[^>]{0,400}?\/N\s{1,8}(\d{1,6})\b/

/** More pages than any provider takes: a larger number is not a page count. */
const MAX_PAGES = 10_000

/**
 * Pages of a PDF, without parsing it: the count that a linearised file puts at its head, else the
 * largest count of a page tree node, else (in a file that was scanned whole) the page objects.
 * Undefined where the page tree is compressed, or the bytes are no PDF. Scans at most 2 MiB.
 */
export function readPdfPages(bytes: Base64Bytes): number | undefined {
  const head = latin1(bytes.read(0, HEAD))
  if (!head.slice(0, 1024).includes('%PDF-')) return undefined
  const linearised = plausible(Number(LINEARISED.exec(head.slice(0, 4096))?.[1] ?? 0))
  if (linearised !== undefined) return linearised
  const tailStart = Math.max(HEAD, bytes.length - TAIL)
  const tail = tailStart < bytes.length ? latin1(bytes.read(tailStart, TAIL)) : ''
  const [first, last] = [scan(head), scan(tail)]
  const counted = Math.max(first.largestCount, last.largestCount)
  if (counted > 0) return plausible(counted)
  if (bytes.length > HEAD + TAIL) return undefined
  return plausible(first.pages + last.pages)
}

/** Bookmarks have a count too, so a count is that of pages only inside a page tree's object. */
function scan(text: string): { largestCount: number; pages: number } {
  let largestCount = 0
  let pages = 0
  let isPageTree = false
  let count = 0
  for (const [mark] of text.matchAll(MARK)) {
    if (mark.endsWith('obj')) {
      if (isPageTree) largestCount = Math.max(largestCount, count)
      isPageTree = false
      count = 0
    } else if (mark.startsWith('/Count')) {
      count = Math.max(count, Number(mark.slice('/Count'.length)))
    } else if (mark.endsWith('s')) {
      isPageTree = true
    } else {
      pages += 1
    }
  }
  return { largestCount: isPageTree ? Math.max(largestCount, count) : largestCount, pages }
}

function plausible(pages: number): number | undefined {
  return pages > 0 && pages <= MAX_PAGES ? pages : undefined
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
