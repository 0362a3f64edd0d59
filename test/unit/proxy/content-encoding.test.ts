import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { codingsOf, decodeBody } from '../../../src/proxy/content-encoding.ts'

const TEXT = Buffer.from('{"a":"é"}'.repeat(100))

describe('packed bodies', () => {
  it.each([
    ['gzip', gzipSync(TEXT)],
    ['x-gzip', gzipSync(TEXT)],
    ['deflate', deflateSync(TEXT)],
    ['br', brotliCompressSync(TEXT)],
    ['gzip, br', brotliCompressSync(gzipSync(TEXT))],
    ['identity', TEXT],
    [undefined, TEXT],
  ])('are unpacked: %s', async (header, packed) => {
    expect(await decodeBody(packed, codingsOf(header), 10_000)).toEqual(TEXT)
  })

  it.each([
    ['gzip', TEXT],
    ['gzip', gzipSync(TEXT).subarray(0, 20)],
    ['zstd', TEXT],
    ['gzip, gzip, gzip, gzip', gzipSync(gzipSync(gzipSync(gzipSync(TEXT))))],
  ])('are left alone where they cannot be unpacked: %s', async (header, packed) => {
    expect(await decodeBody(packed, codingsOf(header), 10_000)).toBeUndefined()
  })

  it.each([
    ['gzip', gzipSync(Buffer.alloc(50_000_000))],
    ['br', brotliCompressSync(Buffer.alloc(50_000_000))],
    ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(50_000_000)))],
  ])('are not unpacked beyond the bound: %s', async (header, bomb) => {
    const before = process.memoryUsage().arrayBuffers
    expect(await decodeBody(bomb, codingsOf(header), 1_000_000)).toBeUndefined()
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000)
  })
})
