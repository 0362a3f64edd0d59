import { describe, expect, it } from 'vitest'
import { ask, conversation, documents } from './helpers.ts'

describe('a request that names nothing', () => {
  it.each(['', '   '])('answers nothing for the request "%s"', async (request) => {
    const result = await ask(request, documents(conversation()))
    expect(result.answers.size).toBe(0)
    expect(result.failure).toBeUndefined()
  })

  it.each(['👍', '???', '?!'])(
    'leaves everything unanswered where the request "%s" has no word',
    async (request) => {
      const result = await ask(request, documents(conversation()))
      expect(result.answers.size).toBe(0)
      expect(result.failure).toBeUndefined()
    },
  )

  it.each([
    'continue',
    'do it again',
    'yes please',
    'no, the other one',
    'Are you sure? I think your answer is wrong.',
    'Can you rewrite your last answer in a shorter form?',
    '继续',
    'zzzqqq',
  ])('leaves everything unanswered for "%s", which names nothing', async (request) => {
    const texts = conversation()
    texts[20] = `Sure, here is the other form again: ${request.slice(0, 12)} please, yes.`
    const named = request === 'zzzqqq' ? conversation() : texts
    const result = await ask(request, documents(named))
    expect(result.answers.size).toBe(0)
    expect(result.abstained).toBe(true)
    expect(result.failure).toBeUndefined()
  })
})
