import { describe, expect, it } from 'vitest'
import { toLabel, WIRE_LABELS } from '../../../src/telemetry/labels.ts'
import { createMetrics } from '../../../src/telemetry/metrics.ts'

describe('createMetrics', () => {
  it('prefixes every metric, those of the process included', async () => {
    const definitions = await createMetrics().registry.getMetricsAsJSON()
    expect(definitions.length).toBeGreaterThan(30)
    expect(definitions.filter(({ name }) => !name.startsWith('precis_'))).toEqual([])
  })

  it('shares no series between two instances', async () => {
    const [first, second] = [createMetrics(), createMetrics()]
    first.compactions.inc({ format: 'neurolink', outcome: 'compacted' })
    expect(await first.registry.metrics()).toContain(
      'precis_compactions_total{format="neurolink",outcome="compacted"} 1\n',
    )
    expect(await second.registry.metrics()).not.toContain('neurolink')
  })

  it('puts confidence into tenths', async () => {
    const metrics = createMetrics()
    metrics.confidence.observe({ question: 'relevance' }, 0.65)
    const text = await metrics.registry.metrics()
    const buckets = [...text.matchAll(/precis_confidence_bucket\{le="([^"]+)".*\} (\d)/g)]
    expect(buckets.map(([, bound, count]) => [bound, count])).toEqual([
      ['0.1', '0'],
      ['0.2', '0'],
      ['0.3', '0'],
      ['0.4', '0'],
      ['0.5', '0'],
      ['0.6', '0'],
      ['0.7', '1'],
      ['0.8', '1'],
      ['0.9', '1'],
      ['1', '1'],
      ['+Inf', '1'],
    ])
  })

  it('shows what the source of a count says at the time of the scrape', async () => {
    const metrics = createMetrics()
    let hits = 3
    metrics.readCountCacheHits(() => hits)
    metrics.readCountCacheBytes(() => 4096)
    expect(await metrics.registry.metrics()).toContain('precis_count_cache_hits_total 3\n')
    hits = 5
    const text = await metrics.registry.metrics()
    expect(text).toContain('precis_count_cache_hits_total 5\n')
    expect(text).toContain('precis_count_cache_bytes 4096\n')
    expect(text).toContain('precis_count_cache_misses_total 0\n')
  })
})

describe('toLabel', () => {
  it('lets no value in that is not of the set', () => {
    expect(toLabel(WIRE_LABELS, 'systemone', 'none')).toBe('systemone')
    expect(toLabel(WIRE_LABELS, 'https://caller.example', 'none')).toBe('none')
  })
})
