import { describe, expect, it } from 'vitest'
import { SUMMARY_PREFIX } from '../../../../src/engine/marker.ts'
import { summarize } from '../../../../src/engine/stages/summarize.ts'
import {
  type FakeSummarizer,
  fakePorts,
  fakeSummarizer,
  written,
} from '../../../helpers/fake-ports.ts'
import {
  assistant,
  buildTranscript,
  type EntrySpec,
  exchange,
  marker,
  ofTokens,
  user,
} from '../../../helpers/transcript-builder.ts'
import { type StageSpec, stageInput } from '../stage-input.ts'

const GIST = '1. Primary Request and Intent: retries'

/** The task, eight messages of 100 tokens with their framing, and the request. */
const CHAT = [
  user('task', { id: 'first' }),
  ...Array.from({ length: 8 }, (_, index) =>
    assistant(ofTokens(96, `m${index + 1}`), { id: `id${index + 1}` }),
  ),
  user('now'),
]

function run(
  specs: readonly EntrySpec[],
  summarizer?: FakeSummarizer,
  over: Partial<StageSpec> = {},
) {
  const input = stageInput(buildTranscript(specs), { target: 500, ...over })
  return summarize(input, fakePorts(summarizer === undefined ? {} : { summarize: summarizer }))
}

async function coveredBy(specs: readonly EntrySpec[], over: Partial<StageSpec> = {}) {
  const { edits } = await run(specs, fakeSummarizer([GIST]), over)
  return edits.flatMap((edit) => (edit.op === 'drop' ? [edit.entry] : []))
}

async function insertionOf(specs: readonly EntrySpec[], over: Partial<StageSpec> = {}) {
  const { edits } = await run(specs, fakeSummarizer([GIST]), over)
  return edits.flatMap((edit) => (edit.op === 'insert' ? [edit.insertion] : []))[0]
}

const summaryOf = (text: string) => user(`${SUMMARY_PREFIX}${text}`, { flags: { summary: true } })

describe('summarize', () => {
  it('is skipped without a summariser', async () => {
    expect(await run(CHAT)).toEqual({ edits: [], skipped: 'no-summarizer' })
  })

  it.each<[string, readonly EntrySpec[]]>([
    ['everything is pinned', [user('task')]],
    ['there is one message to cover', [user('task'), assistant('a'), user('now')]],
    ['there is one beside a marker', [user('task'), marker(9), assistant('a'), user('now')]],
    ['there are only summaries', [user('task'), summaryOf('a'), summaryOf('b'), user('now')]],
  ])('is skipped, and asks nobody, where %s', async (_, specs) => {
    const summarizer = fakeSummarizer([GIST])
    const output = await run(specs, summarizer, {
      target: 10,
      options: { summarize: { keepRecentRatio: 0 } },
    })
    expect(output).toEqual({ edits: [], skipped: 'nothing-to-summarize' })
    expect(summarizer.requests).toHaveLength(0)
  })

  it('puts a summary in the place of the older part, and keeps the share of the target that is recent', async () => {
    expect(await coveredBy(CHAT)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(await insertionOf(CHAT)).toEqual({
      kind: 'summary',
      before: 1,
      role: 'user',
      text: `${SUMMARY_PREFIX}${GIST}`,
      covers: 7,
      coversFrom: 'id1',
      coversTo: 'id7',
    })
  })

  it.each([
    [0, [1, 2, 3, 4, 5, 6, 7, 8]],
    [0.4, [1, 2, 3, 4, 5, 6, 7]],
    [0.41, [1, 2, 3, 4, 5, 6]],
    [0.9, [1, 2, 3, 4]],
  ])('keeps the newest messages within %d of the target', async (keepRecentRatio, expected) => {
    expect(await coveredBy(CHAT, { options: { summarize: { keepRecentRatio } } })).toEqual(expected)
  })

  it('begins the recent part between two exchanges', async () => {
    const specs = [
      user('task'),
      assistant(ofTokens(200, 'a')),
      assistant(ofTokens(200, 'b')),
      ...exchange('c1', ofTokens(100, 'out')),
      user('now'),
    ]
    // The result fits into the recent part, its call does not.
    expect(await coveredBy(specs, { options: { summarize: { keepRecentRatio: 0.23 } } })).toEqual([
      1, 2,
    ])
  })

  it('covers nothing that is pinned, and stands before the first that it covers', async () => {
    expect(await coveredBy(CHAT, { pins: [1, 4] })).toEqual([2, 3, 5, 6, 7])
    expect((await insertionOf(CHAT, { pins: [1, 4] }))?.before).toBe(2)
  })

  it('counts the messages that an old marker stands for, and not the marker', async () => {
    const specs = [user('task'), marker(40), ...CHAT.slice(1)]
    const { edits, summary } = await run(specs, fakeSummarizer([GIST]))
    expect(edits[0]).toEqual({ op: 'drop', entry: 1, reason: 'superseded-marker' })
    expect(summary?.covers).toBe(47)
    expect(await insertionOf(specs)).toMatchObject({ before: 1, covers: 47, coversFrom: 'id1' })
  })

  it('merges the summary before it: hands over its text once, and takes its place', async () => {
    const summarizer = fakeSummarizer([GIST])
    const specs = [user('task'), summaryOf('OLD GIST'), ...CHAT.slice(1)]
    const { edits } = await run(specs, summarizer)
    expect(edits[0]).toEqual({ op: 'drop', entry: 1, reason: 'summarized' })
    const [request] = summarizer.requests
    expect(request?.input).toContain('<summary-so-far>\nOLD GIST\n</summary-so-far>')
    expect(request?.input.split('OLD GIST')).toHaveLength(2)
    expect(request?.instructions).toContain('summary so far')
  })

  it('merges a summary that another tool has written, whole', async () => {
    const summarizer = fakeSummarizer([GIST])
    const foreign = user('GIST OF OTHERS', { flags: { summary: true } })
    await run([user('task'), foreign, ...CHAT.slice(1)], summarizer)
    expect(summarizer.requests[0]?.input).toContain('<summary-so-far>\nGIST OF OTHERS\n')
  })

  it('takes a marker that does not say its count for none', async () => {
    const { summary } = await run(
      [user('task'), marker(0), ...CHAT.slice(1)],
      fakeSummarizer([GIST]),
    )
    expect(summary?.covers).toBe(7)
  })

  it('asks for a first summary where there is none', async () => {
    const summarizer = fakeSummarizer([GIST])
    await run(CHAT, summarizer)
    expect(summarizer.requests[0]?.instructions).not.toContain('summary so far')
    expect(summarizer.requests[0]?.input).not.toContain('summary-so-far')
  })

  it('goes in rounds where one window does not take it all, each with the summary of the one before', async () => {
    const summarizer = fakeSummarizer(['after one', 'after two', 'after three', GIST], 2_000)
    const specs = [
      user('task'),
      ...Array.from({ length: 40 }, (_, n) => assistant(ofTokens(96, `m${n}`))),
      user('now'),
    ]
    const { summary, edits } = await run(specs, summarizer)
    expect(summarizer.requests.length).toBeGreaterThan(1)
    expect(summarizer.requests[0]?.input).not.toContain('summary-so-far')
    expect(summarizer.requests[1]?.input).toContain(
      '<summary-so-far>\nafter one\n</summary-so-far>',
    )
    expect(summary).toMatchObject({
      accepted: true,
      rounds: summarizer.requests.length,
      latencyMs: 11 * summarizer.requests.length,
    })
    expect(edits.at(-1)).toMatchObject({ op: 'insert' })
  })

  it('reports what it covers, what it cost and that nobody judged it', async () => {
    const { summary, warnings } = await run(CHAT, fakeSummarizer([GIST]))
    expect(summary).toEqual({
      accepted: true,
      covers: 7,
      rounds: 1,
      tokens: fakePorts().countInsertion(`${SUMMARY_PREFIX}${GIST}`),
      model: 'writer-1',
      latencyMs: 11,
      gate: { accepted: true, failOpen: 'no-decide-model' },
    })
    expect(warnings).toBeUndefined()
  })

  it('warns of a summary whose end is missing', async () => {
    const { warnings } = await run(CHAT, fakeSummarizer([written(GIST, { truncated: true })]))
    expect(warnings).toEqual([expect.objectContaining({ code: 'summary-cut-short' })])
  })

  it('trims what the model wrote', async () => {
    const { edits } = await run(CHAT, fakeSummarizer([`\n\n  ${GIST}  \n`]))
    expect(edits.at(-1)).toMatchObject({ insertion: { text: `${SUMMARY_PREFIX}${GIST}` } })
  })
})
