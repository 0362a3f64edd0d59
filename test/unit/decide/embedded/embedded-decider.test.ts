import { describe, expect, it } from 'vitest'
import { createEmbeddedDecider } from '../../../../src/decide/embedded/embedded-decider.ts'
import { countDocument, readQuery } from '../../../../src/decide/embedded/query.ts'
import type { DecideRequest } from '../../../../src/engine/ports.ts'
import { ask, conversation, documents, needed, questionsAbout, smallTalk } from './helpers.ts'

const signal = new AbortController().signal

describe('createEmbeddedDecider', () => {
  it('declares what it is and how far its answers can be trusted', () => {
    expect(createEmbeddedDecider().traits).toEqual({
      wire: 'embedded',
      model: 'precis-embedded-3',
      order: 'least-needed-first',
      riskBudget: 0.05,
      maxQuestions: Number.POSITIVE_INFINITY,
      sites: new Set(['relevance']),
    })
  })

  it('answers every question about a document, and reports no request and nothing left out', async () => {
    const judged = documents(conversation())
    const result = await ask('What is INVOICE_RETRY_LIMIT set to?', judged)
    expect(result).toMatchObject({
      wire: 'embedded',
      model: 'precis-embedded-3',
      requests: 0,
      notAsked: 0,
    })
    expect(result.failure).toBeUndefined()
    expect(result.latencyMs).toBeGreaterThan(0)
    expect([...result.answers.keys()]).toEqual(judged.map(({ id }) => `q:${id}`))
    for (const answer of result.answers.values()) {
      expect(answer.kind).toBe('boolean')
      if (answer.kind !== 'boolean') continue
      expect(answer.probability).toBeGreaterThan(0)
      expect(answer.probability).toBeLessThan(1)
    }
  })

  it.each([
    'What is INVOICE_RETRY_LIMIT set to?',
    'change the retry policy of billing',
    'open retryPolicy.ts',
    'how many times are invoices retried?',
  ])(
    'ranks the message that "%s" is about above all small talk, and confidently',
    async (request) => {
      const probabilities = await needed(request, documents(conversation()))
      const about = probabilities[12] ?? 0
      expect(about).toBe(Math.max(...probabilities))
      expect(about).toBeGreaterThan(0.2)
      expect(probabilities[30]).toBeLessThan(0.05)
    },
  )

  it('ranks neighbours of a match above messages far from it', async () => {
    const probabilities = await needed('INVOICE_RETRY_LIMIT', documents(conversation()))
    for (const near of [10, 11, 13, 14]) {
      expect(probabilities[near]).toBeGreaterThan(probabilities[30] ?? 1)
      expect(probabilities[near]).toBeLessThan(probabilities[12] ?? 0)
    }
    expect(probabilities[11]).toBeGreaterThan(probabilities[10] ?? 1)
  })

  it('ranks a message with both rare words above one with either', async () => {
    const texts = smallTalk(40)
    texts[5] = 'The kestrel flew over the house and away again that afternoon.'
    texts[20] = 'The kestrel came back to the viaduct and stayed that afternoon.'
    texts[33] = 'The viaduct stood empty over the valley and quiet that afternoon.'
    const probabilities = await needed('the kestrel at the viaduct', documents(texts))
    expect(probabilities[20]).toBeGreaterThan(probabilities[5] ?? 1)
    expect(probabilities[20]).toBeGreaterThan(probabilities[33] ?? 1)
  })

  it('scores the name of the speaker with what is said', async () => {
    const judged = documents(smallTalk(40)).map((document, index) =>
      index === 9 ? { ...document, speaker: 'Philippa' } : document,
    )
    const probabilities = await needed('What did Philippa say?', judged)
    expect(probabilities[9]).toBe(Math.max(...probabilities))
    expect(probabilities[9]).toBeGreaterThan(2 * (probabilities[30] ?? 1))
  })

  it('finds words in text without spaces', async () => {
    const texts = smallTalk(20)
    texts[4] = '数据库的密码保存在配置文件里'
    const probabilities = await needed('密码在哪里？', documents(texts))
    expect(probabilities[4]).toBe(Math.max(...probabilities))
    expect(probabilities[4]).toBeGreaterThan(0.2)
  })

  it('needs an older message less when the recent window already answers', async () => {
    const judged = documents(conversation())
    const recent = documents(
      ['INVOICE_RETRY_LIMIT in billing/retryPolicy.ts is 7, the invoice service reads it.'],
      'recent__',
    )
    const request = 'What is INVOICE_RETRY_LIMIT set to?'
    const [alone, answered] = [
      await needed(request, judged),
      await needed(request, judged, { recent }),
    ]
    expect(answered[12]).toBeLessThan(alone[12] ?? 0)
  })

  it('does not take the request itself, or a judged message, for a recent one', async () => {
    const judged = documents(conversation())
    const request = 'What is INVOICE_RETRY_LIMIT set to?'
    const recent = [...documents([` ${request}\n`], 'recent__'), ...judged.slice(10, 14)]
    expect(await needed(request, judged, { recent })).toEqual(await needed(request, judged))
  })

  it('does not drop anything for words that nearly every message has', async () => {
    const probabilities = await needed('that is good to hear', documents(conversation()))
    expect(Math.min(...probabilities)).toBeGreaterThan(0.2)
  })

  it('is unsure of a document that it reads in part only', async () => {
    const texts = conversation()
    texts[30] = 'lorem ipsum '.repeat(100_000)
    const probabilities = await needed('What is INVOICE_RETRY_LIMIT set to?', documents(texts))
    expect(probabilities[30]).toBeGreaterThan(0.4)
    expect(probabilities[31]).toBeLessThan(0.05)
  })

  it('reads the beginning and the end of a long document', () => {
    const filler = 'lorem ipsum dolor '.repeat(10_000)
    for (const text of [`kestrel ${filler}`, `${filler} kestrel`]) {
      const { terms } = countDocument({ text }, readQuery('kestrel'))
      expect(terms).toEqual([0])
    }
  })

  it.each(['summary-gate', 'context-scope'] as const)(
    'leaves %s unanswered without failing',
    async (site) => {
      const judged = documents(conversation())
      const result = await createEmbeddedDecider().decide({
        site,
        questions: questionsAbout(judged),
        state: {
          fields: { current_request: 'INVOICE_RETRY_LIMIT' },
          recent: [],
          documents: judged,
        },
        signal,
      })
      expect(result.answers.size).toBe(0)
      expect(result.failure).toBeUndefined()
    },
  )

  it('answers only boolean questions that name a document', async () => {
    const judged = documents(conversation())
    const request: DecideRequest = {
      site: 'relevance',
      questions: [
        { id: 'yes', kind: 'boolean', about: 'msg__12', instructions: '' },
        { id: 'nothing', kind: 'boolean', instructions: '' },
        { id: 'unknown', kind: 'boolean', about: 'msg__99', instructions: '' },
        { id: 'prototype', kind: 'boolean', about: '__proto__', instructions: '' },
        { id: 'choice', kind: 'choice', instructions: '', choices: [] },
        { id: 'score', kind: 'score', instructions: '', levels: [] },
      ],
      state: { fields: { current_request: 'INVOICE_RETRY_LIMIT' }, recent: [], documents: judged },
      signal,
    }
    const { answers } = await createEmbeddedDecider().decide(request)
    expect([...answers.keys()]).toEqual(['yes'])
  })

  it('answers nothing without a request field or without documents', async () => {
    const decider = createEmbeddedDecider()
    const judged = documents(conversation())
    const none = await decider.decide({
      site: 'relevance',
      questions: questionsAbout(judged),
      state: { fields: {}, recent: [], documents: judged },
      signal,
    })
    expect(none.answers.size).toBe(0)
    expect((await ask('INVOICE_RETRY_LIMIT', [])).answers.size).toBe(0)
  })

  it('gives the same answers to the same question', async () => {
    const judged = documents(conversation())
    const request = 'What is INVOICE_RETRY_LIMIT set to?'
    const first = await needed(request, judged)
    await needed('something else about the garden', judged)
    expect(await needed(request, judged)).toEqual(first)
  })

  it('fails as aborted when the caller has gone away before', async () => {
    const gone = AbortSignal.abort()
    const result = await ask('INVOICE_RETRY_LIMIT', documents(conversation()), { signal: gone })
    expect(result.failure).toBe('aborted')
    expect(result.answers.size).toBe(0)
  })

  it('fails as deadline when the time was up before', async () => {
    const late = AbortSignal.abort(new DOMException('late', 'TimeoutError'))
    const result = await ask('INVOICE_RETRY_LIMIT', documents(conversation()), { signal: late })
    expect(result.failure).toBe('deadline')
    expect(result.answers.size).toBe(0)
  })

  it.each([
    ['the caller goes away', new Error('gone'), 'aborted'],
    ['the time is up', new DOMException('late', 'TimeoutError'), 'deadline'],
  ] as const)('stops between chunks when %s', async (_, reason, failure) => {
    const controller = new AbortController()
    const judged = documents(Array.from({ length: 200 }, () => 'lorem ipsum '.repeat(2_000)))
    const pending = ask('INVOICE_RETRY_LIMIT', judged, { signal: controller.signal })
    setImmediate(() => controller.abort(reason))
    const result = await pending
    expect(result.failure).toBe(failure)
    expect(result.answers.size).toBe(0)
  })

  it('lets other work run while it reads a large conversation', async () => {
    const judged = documents(Array.from({ length: 100 }, () => 'lorem ipsum '.repeat(2_000)))
    let turns = 0
    const count = (): void => {
      turns += 1
      timer = setImmediate(count)
    }
    let timer = setImmediate(count)
    await ask('INVOICE_RETRY_LIMIT', judged)
    clearImmediate(timer)
    expect(turns).toBeGreaterThan(5)
  })
})
