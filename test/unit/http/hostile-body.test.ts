import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../helpers/build-app.ts'
import { expectProblem } from '../../helpers/expect-problem.ts'
import { TIMED } from '../../helpers/timed.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const MESSAGES = '"messages":[{"role":"user","content":"hi"}],"targetTokens":10'

let test: TestApp
beforeAll(async () => {
  test = await buildTestApp()
})
afterAll(() => test.app.close())

function bodyWith(member: string, item: string, count: number): string {
  return `{${MESSAGES},"${member}":[${`${item},`.repeat(count - 1)}${item}]}`
}

async function refuse(payload: string) {
  const headers = { 'content-type': 'application/json' }
  const response = await test.app.inject({ method: 'POST', url: '/compact', payload, headers })
  return expectProblem(response, 'invalid-request')
}

/** Milliseconds of CPU until the refusal. */
async function cpuToRefuse(payload: string): Promise<number> {
  const before = process.cpuUsage()
  await refuse(payload)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

describe('a body made of faults', () => {
  it('gets as many listed as somebody reads, and the number of the others', async () => {
    const { errors } = await refuse(bodyWith('pins', '{}', 100_000))
    expect(errors).toHaveLength(51)
    expect(errors[0]).toEqual({
      pointer: '/pins/0',
      rule: 'type',
      detail: 'must be integer or string',
    })
    expect(errors.at(-1)).toMatchObject({
      rule: 'more-errors',
      detail: '99950 more are not listed',
    })
  })

  it('costs in proportion to its length', TIMED, async () => {
    const [few, many] = [bodyWith('pins', '{}', 20_000), bodyWith('pins', '{}', 100_000)]
    await cpuToRefuse(few)
    const cpu = Math.min(await cpuToRefuse(few), await cpuToRefuse(few))
    expect((await cpuToRefuse(many)) / cpu).toBeLessThan(12)
  })

  it.each([
    ['tools', '1', '/tools/0'],
    ['functions', '1', '/functions/0'],
    ['system', '1', '/system/0'],
    ['pins', '{}', undefined],
    ['files', '1', undefined],
  ])('of a megabyte or more hears of the first alone (%s)', async (member, item, pointer) => {
    const { errors } = await refuse(bodyWith(member, item, 600_000))
    expect(errors).toHaveLength(1)
    expect(errors[0]?.pointer).toBe(pointer ?? `/${member}`)
  })

  it('hears of the first unknown member alone where there are very many', async () => {
    const names = Array.from({ length: 100_000 }, (_, index) => `"x${index}":1`)
    const { errors } = await refuse(`{${MESSAGES},${names.join(',')}}`)
    expect(errors).toMatchObject([{ pointer: '/x0', rule: 'additionalProperties' }])
  })

  it('takes little more memory than the parsed body does', async () => {
    // Just fewer than a body may hold: with more it is refused before it is parsed.
    const payload = bodyWith('tools', '1', 1_900_000)
    await refuse(payload)
    collectGarbage()
    const before = process.memoryUsage().heapUsed
    let peak = before
    // Just after the validation, before anything of it is collected.
    const stringify = JSON.stringify
    JSON.stringify = ((...values: Parameters<typeof stringify>) => {
      peak = Math.max(peak, process.memoryUsage().heapUsed)
      return stringify(...values)
    }) as typeof stringify
    try {
      expect((await refuse(payload)).errors).toHaveLength(1)
    } finally {
      JSON.stringify = stringify
    }
    // 1,900,000 small numbers are 15 MB; what their errors take is above 300 MB.
    expect(peak - before).toBeGreaterThan(10_000_000)
    expect(peak - before).toBeLessThan(4 * 16_000_000)
  })
})
