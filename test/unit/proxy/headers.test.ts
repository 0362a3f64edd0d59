import { describe, expect, it } from 'vitest'
import { readAsked } from '../../../src/proxy/asked.ts'
import { endToEndHeaders } from '../../../src/proxy/hop-by-hop.ts'
import { noteHeaders } from '../../../src/proxy/note.ts'
import { headersForNewBody, headersForSameBody } from '../../../src/proxy/request-headers.ts'

const CAME = [
  ['Host', 'precis.local'],
  ['Authorization', 'Bearer sk-1'],
  ['X-Api-Key', 'key'],
  ['Connection', 'keep-alive, X-Hop'],
  ['X-Hop', 'one'],
  ['Keep-Alive', 'timeout=5'],
  ['TE', 'trailers'],
  ['Transfer-Encoding', 'chunked'],
  ['Content-Length', '12'],
  ['Content-Encoding', 'gzip'],
  ['Content-Digest', 'sha-256=:x:'],
  ['Expect', '100-continue'],
  ['Accept-Encoding', 'gzip, br'],
  ['X-Precis-Target', '1000'],
  ['x-precis-api-key', 'secret'],
  ['Cookie', 'a=1'],
  ['cookie', 'b=2'],
].flat()

describe("the caller's headers at the upstream", () => {
  it('are those of the message, in their order, spelling and number', () => {
    expect(headersForSameBody(CAME)).toEqual(
      [
        ['Authorization', 'Bearer sk-1'],
        ['X-Api-Key', 'key'],
        ['Content-Encoding', 'gzip'],
        ['Content-Digest', 'sha-256=:x:'],
        ['Accept-Encoding', 'gzip, br'],
        ['Cookie', 'a=1'],
        ['cookie', 'b=2'],
      ].flat(),
    )
  })

  it('say nothing of a body that was replaced', () => {
    const names = headersForNewBody(CAME).filter((_, index) => index % 2 === 0)
    expect(names).toEqual(['Authorization', 'X-Api-Key', 'Accept-Encoding', 'Cookie', 'cookie'])
  })
})

describe("the upstream's headers at the caller", () => {
  it('never claim to be ours', () => {
    const came = ['X-Precis-Outcome', 'compacted', 'x-request-id', 'req_1', 'Trailer', 'x']
    expect(endToEndHeaders(came, new Set())).toEqual(['x-request-id', 'req_1'])
  })

  it('come with a note of what was done', () => {
    const note = {
      outcome: 'compacted',
      tokensBefore: 10,
      tokensAfter: 5,
      stages: ['prune', 'truncate'],
    } as const
    expect(noteHeaders(note, 'id', true)).toEqual([
      ...['x-precis-request-id', 'id', 'x-precis-outcome', 'compacted'],
      ...['x-precis-tokens-before', '10', 'x-precis-tokens-after', '5'],
      ...['x-precis-stages', 'prune, truncate', 'x-precis-retry', 'overflow'],
    ])
    expect(noteHeaders({ outcome: 'passed', reason: 'not-json' }, 'id', false)).toEqual([
      ...['x-precis-request-id', 'id', 'x-precis-outcome', 'passed', 'x-precis-reason', 'not-json'],
    ])
  })
})

describe('what a caller asks of the proxy', () => {
  it('is read from headers', () => {
    const asked = {
      'x-precis-bypass': 'TRUE',
      'x-precis-target': '5000',
      'x-precis-profile': 'agent',
    }
    expect(readAsked(asked)).toEqual({ bypass: true, targetTokens: 5_000, profile: 'agent' })
    expect(readAsked({})).toEqual({ bypass: false, targetTokens: undefined, profile: undefined })
    expect(readAsked({ 'x-precis-bypass': 'false' }).bypass).toBe(false)
  })

  it.each([
    ['x-precis-bypass', 'maybe'],
    ['x-precis-target', '0'],
    ['x-precis-target', '-5'],
    ['x-precis-target', '1e3'],
    ['x-precis-target', '9999999999'],
    ['x-precis-profile', 'mine'],
  ])('refuses %s: %s, rather than do something else', (name, value) => {
    expect(() => readAsked({ [name]: value })).toThrow(
      expect.objectContaining({ code: 'invalid-request', message: expect.stringContaining(name) }),
    )
  })
})
