import { afterEach, describe, expect, it, vi } from 'vitest'
import { createLearnedTargets } from '../../../src/proxy/overflow/learned-targets.ts'
import type { Generation } from '../../../src/proxy/surface.ts'

const CHAT: Generation = { format: 'openai-chat', model: undefined }
const said = (role: string, content: string) => ({ role, content })
const TURN = [
  said('system', 'Be brief.'),
  said('user', 'Mend the boiler.'),
  said('assistant', 'Yes.'),
]
const bodyOf = (messages: readonly object[], model = 'm') =>
  Buffer.from(JSON.stringify({ model, stream: true, messages }))

afterEach(() => {
  vi.useRealTimers()
})

describe('the target learned from a refusal', () => {
  it('is that of every later turn of the conversation', () => {
    const learned = createLearnedTargets()
    expect(learned.find(bodyOf(TURN), CHAT)).toBeUndefined()
    learned.learn(bodyOf(TURN), CHAT, 3_600)
    const later = bodyOf([...TURN, said('user', 'And the pump.')])
    expect(learned.find(later, CHAT)).toBe(3_600)
    learned.learn(later, CHAT, 2_500)
    expect(learned.find(bodyOf(TURN), CHAT)).toBe(2_500)
  })

  it.each([
    ['another conversation', bodyOf([TURN[0]!, said('user', 'Mend the roof.')]), CHAT],
    ['another model', bodyOf(TURN, 'n'), CHAT],
    ['another API', bodyOf(TURN), { ...CHAT, format: 'anthropic-messages' }],
    ['another model of the path', bodyOf(TURN), { ...CHAT, model: 'n' }],
    [
      'a message that is cut elsewhere',
      bodyOf([said('system', 'Be brief.'), said('user', '')]),
      CHAT,
    ],
    ['a single message', bodyOf(TURN.slice(0, 1)), CHAT],
    ['no list', Buffer.from('{"model":"m"}'), CHAT],
    ['a text in its place', Buffer.from('{"model":"m","input":"hello"}'), CHAT],
    ['what is no JSON', Buffer.from('{"model":"m","messages":[{"role"'), CHAT],
  ] as const)('is not that of %s', (_, text, generation) => {
    const learned = createLearnedTargets()
    learned.learn(bodyOf(TURN), CHAT, 3_600)
    expect(learned.find(text, generation)).toBeUndefined()
    learned.learn(text, generation, 1)
    expect(learned.find(bodyOf(TURN), CHAT)).toBe(3_600)
  })

  it('is found for a list of any API', () => {
    const learned = createLearnedTargets()
    for (const [list, format] of [
      ['input', 'openai-responses'],
      ['contents', 'gemini'],
    ] as const) {
      const text = Buffer.from(JSON.stringify({ [list]: [{ a: 1 }, { b: 2 }, { c: 3 }] }))
      learned.learn(text, { format, model: 'm' }, 10)
      expect(learned.find(text, { format, model: 'm' })).toBe(10)
    }
  })

  it('is forgotten after an hour', () => {
    // The cache looks at the clock once in a millisecond.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let now = 1
    const learned = createLearnedTargets(() => now)
    learned.learn(bodyOf(TURN), CHAT, 3_600)
    now += 59 * 60_000
    vi.advanceTimersByTime(1_000)
    expect(learned.find(bodyOf(TURN), CHAT)).toBe(3_600)
    now += 2 * 60_000
    vi.advanceTimersByTime(1_000)
    expect(learned.find(bodyOf(TURN), CHAT)).toBeUndefined()
  })
})
