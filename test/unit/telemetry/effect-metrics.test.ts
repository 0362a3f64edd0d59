import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../helpers/build-app.ts'

let test: TestApp

beforeAll(async () => {
  test = await buildTestApp({ environment: { PRECIS_DECIDE_WIRE: 'none' } })
})

afterAll(async () => {
  await test.app.close()
})

async function metricLines(name: string): Promise<string[]> {
  const { body } = await test.app.inject('/metrics')
  return body.split('\n').filter((line) => line.startsWith(`${name}{`))
}

async function compact(dryRun: boolean): Promise<void> {
  const messages = Array.from({ length: 30 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `message ${index} `.repeat(20),
  }))
  const response = await test.app.inject({
    method: 'POST',
    url: '/compact',
    payload: { format: 'openai-chat', model: 'gpt-4o', messages, targetTokens: 900, dryRun },
  })
  expect(response.json()).toMatchObject({ outcome: 'compacted' })
}

describe('series of effects', () => {
  it('begin at 0, so that the first failure is an increase', async () => {
    const failOpen = await metricLines('precis_fail_open_total')
    expect(failOpen).toContain('precis_fail_open_total{site="relevance",reason="timeout"} 0')
    expect(failOpen.every((line) => line.endsWith(' 0'))).toBe(true)
    expect(await metricLines('precis_messages_dropped_total')).toContain(
      'precis_messages_dropped_total{stage="truncate",reason="oldest"} 0',
    )
  })

  it('are left alone by a dry run, and moved by a run', async () => {
    const compacted = 'precis_compactions_total{format="openai-chat",outcome="compacted"}'
    await compact(true)
    expect(await metricLines('precis_compactions_total')).toContain(`${compacted} 0`)
    expect(await metricLines('precis_tokens_saved_total')).toEqual([])
    await compact(false)
    expect(await metricLines('precis_compactions_total')).toContain(`${compacted} 1`)
    expect(await metricLines('precis_tokens_saved_total')).toHaveLength(1)
  })
})
