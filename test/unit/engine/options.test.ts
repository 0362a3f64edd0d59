import { describe, expect, it } from 'vitest'
import { PRESETS, PROFILE_NAMES, resolveOptions, STAGE_NAMES } from '../../../src/engine/options.ts'

describe('resolveOptions', () => {
  it('is the preset where nothing is overridden', () => {
    for (const profile of PROFILE_NAMES) expect(resolveOptions(profile)).toEqual(PRESETS[profile])
  })

  it('changes the member that is set and no other', () => {
    const options = resolveOptions('neurolink', { prune: { keepResults: 4 } })
    expect(options.prune).toEqual({ ...PRESETS.neurolink.prune, keepResults: 4 })
    expect({ ...options, prune: PRESETS.neurolink.prune }).toEqual(PRESETS.neurolink)
  })

  it('lets the later override win', () => {
    const options = resolveOptions(
      'neurolink',
      { protectRecent: 3, truncate: { enabled: false } },
      undefined,
      { protectRecent: 9 },
    )
    expect(options.protectRecent).toBe(9)
    expect(options.truncate.enabled).toBe(false)
  })

  it('does not let an undefined member erase what is below it', () => {
    const unset = undefined as never
    const options = resolveOptions('neurolink', {
      protectRecent: unset,
      relevance: { minDropConfidence: unset, maxDropRatio: 0.1 },
      prune: unset,
    })
    expect(options).toEqual({
      ...PRESETS.neurolink,
      relevance: { ...PRESETS.neurolink.relevance, maxDropRatio: 0.1 },
    })
  })

  it('keeps zero, false and null, which are values', () => {
    const options = resolveOptions('neurolink', {
      protectRecent: 0,
      relevance: { enabled: false, riskBudget: null },
      prune: { protectTokens: 0 },
    })
    expect(options.protectRecent).toBe(0)
    expect(options.relevance).toMatchObject({ enabled: false, riskBudget: null })
    expect(options.prune.protectTokens).toBe(0)
  })

  it('leaves the presets as they are', () => {
    const before = structuredClone(PRESETS)
    resolveOptions('rubyn', { relevance: { enabled: true }, collapse: { keepRecent: 1 } })
    expect(PRESETS).toEqual(before)
  })
})

describe('PRESETS', () => {
  it('has a switch for every stage in every preset', () => {
    for (const profile of PROFILE_NAMES) {
      for (const stage of STAGE_NAMES) expect(PRESETS[profile][stage].enabled).toBeTypeOf('boolean')
    }
  })

  it('has the numbers of the seeds by default', () => {
    expect(PRESETS.neurolink).toMatchObject({
      protectRecent: 6,
      relevance: {
        minDropConfidence: 0.6,
        maxDropRatio: 0.5,
        maxQuestions: 300,
        toolExchanges: 'keep',
      },
      prune: { protectTokens: 40_000 },
      collapse: { enabled: false, keepRecent: 6 },
    })
  })

  it('judges tool exchanges for agents, and prunes, collapses and summarises for rubyn', () => {
    expect(PRESETS.agent.relevance.toolExchanges).toBe('clear')
    const enabled = STAGE_NAMES.filter((stage) => PRESETS.rubyn[stage].enabled)
    expect(enabled).toEqual(['prune', 'collapse', 'summarize', 'truncate'])
    expect(PRESETS.rubyn.prune.keepResults).toBe(2)
  })
})
