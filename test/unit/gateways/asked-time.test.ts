import { describe, expect, it } from 'vitest'
import { askedTime } from '../../../src/http/gateways/asked-time.ts'

const DEADLINE = 30_000
const time = (query: object, headers: Record<string, string> = {}, limit?: number) =>
  askedTime({ query, headers }, DEADLINE, limit)

describe('askedTime', () => {
  it('is the contract’s own where nobody asks, and never past the service’s deadline', () => {
    expect(time({}, {}, 2_500)).toBe(2_500)
    expect(time({})).toBe(28_500)
    expect(time({}, {}, 60_000)).toBe(28_500)
  })

  it('is what the query or a header says, the query first, also beyond the contract’s own', () => {
    expect(time({ timeout_ms: '9000' }, {}, 2_500)).toBe(9_000)
    expect(time({}, { 'x-precis-timeout-ms': '400' }, 2_500)).toBe(400)
    expect(time({ timeout_ms: '600' }, { 'x-precis-timeout-ms': '400' })).toBe(600)
    expect(time({ timeout_ms: '3600000' })).toBe(28_500)
    expect(time({ timeout_ms: '50' })).toBe(50)
  })

  it.each(['', '49', '3600001', '1.5', '-5', '1e3', ' 500', ['500', '600']])(
    'refuses %j',
    (value) => {
      expect(() => time({ timeout_ms: value })).toThrow('whole number of milliseconds')
    },
  )
})
