import { describe, expect, it } from 'vitest'
import { findGeminiFaults } from '../../helpers/wire-rules/gemini.ts'

const text = (words: string) => ({ text: words })
const user = { role: 'user', parts: [text('What is the weather in Paris and Rome?')] }
const answer = { role: 'model', parts: [text('Sunny in both.')] }
const call = (name: string) => ({ functionCall: { name, args: {} } })
const response = (name: string) => ({ functionResponse: { name, response: { output: 'sunny' } } })
const model = (...parts: unknown[]) => ({ role: 'model', parts })
const results = (...parts: unknown[]) => ({ role: 'user', parts })

const faultsOf = (contents: unknown, name?: string) => findGeminiFaults({ contents, model: name })

describe('gemini rules: signatures', () => {
  const unsigned = [
    user,
    model(call('f')),
    results(response('f')),
    model(call('g')),
    results(response('g')),
  ]
  const signed = (name: string) => ({ ...call(name), thoughtSignature: 'Ci==' })
  const missing = (pointer: string) => ({ rule: 'thought-signature-missing', pointer })

  it.each(['gemini-3-pro-preview', 'models/gemini-3.1-flash', 'google/gemini-10-pro'])(
    'asks %s for one on every step of the current turn',
    (name) => {
      expect(faultsOf(unsigned, name)).toEqual([
        missing('/contents/1/parts/0'),
        missing('/contents/3/parts/0'),
      ])
    },
  )

  it.each(['gemini-2.5-pro', 'models/gemini-2.5-flash', 'my-gemini-3', undefined])(
    'asks %s for none',
    (name) => {
      expect(faultsOf(unsigned, name)).toEqual([])
    },
  )

  it('asks for none before the current turn, nor behind the first of parallel calls', () => {
    const parallel = model(text('I look.'), signed('f'), call('g'))
    expect(faultsOf([...unsigned, answer, user, parallel], 'gemini-3-pro')).toEqual([])
  })

  it('takes a request beside responses for the beginning of the turn', () => {
    const mixed = results(response('g'), text('Go on.'))
    expect(faultsOf([...unsigned.slice(0, 4), mixed, answer], 'gemini-3-pro')).toEqual([])
  })

  it('is not content with a signature behind the first call', () => {
    const parallel = model(call('f'), signed('g'))
    expect(faultsOf([user, parallel], 'gemini-3-pro')).toEqual([missing('/contents/1/parts/0')])
  })
})
