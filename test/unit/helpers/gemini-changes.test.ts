import { describe, expect, it } from 'vitest'
import { findGeminiChanges } from '../../helpers/wire-rules/gemini-changes.ts'

const model = (...parts: unknown[]) => ({ role: 'model', parts })
const user = { role: 'user', parts: [{ text: 'Hello.' }] }
const plain = { text: 'So be it.' }
const thought = { text: 'Compare.', thought: true, thoughtSignature: 'one' }
const signed = { text: 'Done.', thought_signature: 'two' }
const call = { functionCall: { name: 'f', args: {} }, thoughtSignature: 'three' }
const parallel = { functionCall: { name: 'g', args: {} } }

const first = model(thought, plain, signed)
const second = model(call, parallel)
const before = { contents: [user, first, user, second] }
const changesOf = (...contents: unknown[]) => findGeminiChanges(before, { contents })

describe('changes of a gemini conversation', () => {
  it.each<[string, unknown[]]>([
    ['nothing changed', before.contents],
    ['a whole content is gone', [user, second]],
    ['unsigned text was shortened', [user, model(thought, { text: 'So' }, signed), second]],
    ['an unsigned content came in', [user, model({ text: 'Summary.' }), second]],
  ])('are none where %s', (_, contents) => {
    expect(changesOf(...contents)).toEqual([])
  })

  it.each<[string, unknown[], string]>([
    [
      'a signature was altered',
      [user, model({ ...call, thoughtSignature: 'x' }, parallel)],
      '/contents/1/parts/0',
    ],
    [
      'a signed text was altered',
      [user, model(thought, plain, { ...signed, text: 'D' })],
      '/contents/1/parts/2',
    ],
    [
      'a signed call was altered',
      [user, model({ ...call, functionCall: { name: 'f' } }, parallel)],
      '/contents/1/parts/0',
    ],
    [
      'a signature was cut',
      [user, model({ functionCall: call.functionCall }, parallel)],
      '/contents/1/parts/0',
    ],
    ['a signed part came twice', [user, first, first], '/contents/2/parts/0'],
  ])('are named where %s', (_, contents, pointer) => {
    expect(changesOf(...contents)[0]).toEqual({ rule: 'sealed-changed', pointer })
  })

  it.each<[string, unknown]>([
    ['one of two signed parts is gone', model(plain, signed)],
    ['both are gone', model(plain)],
    ['signed parts changed places', model(signed, plain, thought)],
    ['a call lost the signed one beside it', model(parallel)],
  ])('are named where %s', (_, content) => {
    expect(changesOf(user, content)).toEqual([{ rule: 'signature-parted', pointer: '/contents/1' }])
  })

  it('tell a bare copy that was there before from one that was stripped', () => {
    const both = { contents: [user, first, model(plain)] }
    expect(findGeminiChanges(both, { contents: [user, model(plain)] })).toEqual([])
    expect(findGeminiChanges(both, { contents: [user, model(plain), model(plain)] })).toEqual([
      { rule: 'signature-parted', pointer: '/contents/2' },
    ])
  })
})
