import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { verdictOf } from '../../../src/formats/evidence.ts'
import { gemini } from '../../../src/formats/gemini/index.ts'
import { parse, rulesAt } from './support.ts'

type Part = Record<string, unknown>

const text = { text: 'hi' }
const call = (name: string, id?: string): Part => ({
  functionCall: { name, args: {}, ...(id !== undefined && { id }) },
})
const response = (name: string, id?: string): Part => ({
  functionResponse: { name, response: { output: 'r' }, ...(id !== undefined && { id }) },
})
const code = { executableCode: { language: 'PYTHON', code: '1' } }
const result = { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } }
const signed = (part: Part): Part => ({ ...part, thoughtSignature: 'c2ln' })

const user = (...parts: unknown[]) => ({ role: 'user', parts })
const model = (...parts: unknown[]) => ({ role: 'model', parts })
const functions = (...parts: unknown[]) => ({ role: 'function', parts })

const payloadOf = (...contents: unknown[]): JsonObject => ({ contents }) as JsonObject
const faults = (...contents: unknown[]): string[] => rulesAt(gemini, payloadOf(...contents))

/** A case that only the rule catches, where it does, and a near miss that nothing catches. */
const CASES: [rule: string, name: string, broken: JsonObject, at: string[], valid: JsonObject][] = [
  ['structure', 'no array', { contents: 'hi' }, ['/contents'], payloadOf(user(text))],
  ['structure', 'no objects', payloadOf(user(text), null), ['/contents/1'], payloadOf(user(text))],
  [
    'known-role',
    'a role of another format',
    payloadOf(user(text), { role: 'assistant', parts: [text] }),
    ['/contents/1/role'],
    payloadOf(user(text), model(text), { parts: [text] }),
  ],
  [
    'first-role',
    'a model that begins',
    payloadOf(model(text), user(text)),
    ['/contents/0/role'],
    payloadOf({ parts: [text] }, model(text)),
  ],
  [
    'empty-content',
    'no parts',
    payloadOf(user(text), model()),
    ['/contents/1'],
    payloadOf(user(text)),
  ],
  [
    'empty-content',
    'absent parts',
    payloadOf(user(text), { role: 'model' }, { role: 'user', parts: 'hi' }),
    ['/contents/1', '/contents/2'],
    payloadOf(user(text), model(text)),
  ],
  [
    'empty-part',
    'an empty text',
    payloadOf(user(text), model(text, { text: '' })),
    ['/contents/1/parts/1'],
    payloadOf(user(text), model({ text: ' ' }, { text: '', thought_signature: 'c2ln' })),
  ],
  [
    'empty-part',
    'no data',
    payloadOf(user({ videoMetadata: { fps: 1 } }, {}, 'hi', { text: null }, signed({}))),
    [0, 1, 2, 3, 4].map((part) => `/contents/0/parts/${part}`),
    payloadOf(user({ inline_data: { data: '' } }, { hologram: 1 }, { text: 'a', thought: false })),
  ],
  [
    'part-role',
    'a response of the model',
    payloadOf(user(text), model(call('f')), model(response('f'))),
    ['/contents/2/parts/0'],
    payloadOf(user(text), model(call('f')), functions(response('f')), model(text)),
  ],
  [
    'part-role',
    'code of the user',
    payloadOf(user(text, code, result)),
    ['/contents/0/parts/1', '/contents/0/parts/2'],
    payloadOf(user(text), model(code, result, text)),
  ],
  [
    'code-result-without-code',
    'a result alone',
    payloadOf(user(text), model(result)),
    ['/contents/1/parts/0'],
    payloadOf(user(text), model(code, { text: 'hm', thought: true }, result)),
  ],
  [
    'code-result-without-code',
    'a result after a text',
    payloadOf(user(text), model(code, text, result)),
    ['/contents/1/parts/2'],
    payloadOf(
      user(text),
      model({ executable_code: {} }, { code_execution_result: {} }, text, code, result),
    ),
  ],
  [
    'call-without-result',
    'a call that the user talks over',
    payloadOf(user(text), model(call('f'), text), user(text)),
    ['/contents/1/parts/0'],
    payloadOf(user(text), model(call('f'), text)),
  ],
  [
    'call-without-result',
    'half of a parallel call',
    payloadOf(user(text), model(call('f', '1'), call('f', '2')), user(response('f', '2'), text)),
    ['/contents/1/parts/0'],
    payloadOf(user(text), model(call('f', '1'), call('f', '2')), user(response('f', '2'))),
  ],
  [
    'result-without-call',
    'a response that nobody asked for',
    payloadOf(user(text), model(call('f', '1')), user(response('f', '1'), response('f', '2'))),
    ['/contents/2/parts/1'],
    payloadOf(
      user(text),
      model(call('f'), call('f')),
      user(response('f', 'x'), response('f', 'y')),
    ),
  ],
  [
    'result-misplaced',
    'a response that comes a content late',
    payloadOf(user(text), model(call('f'), call('g')), user(response('f')), user(response('g'))),
    ['/contents/3/parts/0'],
    payloadOf(user(text), model(call('f'), call('g')), user(response('f'))),
  ],
  [
    'duplicate-result',
    'a call that is answered twice',
    payloadOf(user(text), model(call('f', '1')), user(response('f', '1'), response('f', '1'))),
    ['/contents/2/parts/1'],
    payloadOf(user(text), model(call('f', '1'), call('f')), user(response('f'), response('f'))),
  ],
  [
    'call-placement',
    'a call after a text of the model',
    payloadOf(user(text), model(text), model(call('f'))),
    ['/contents/2'],
    payloadOf(user(text), model(text), user(text), model(text, call('f'))),
  ],
  [
    'thought-signature-missing',
    'an unsigned step of the current turn',
    {
      model: 'models/gemini-3-pro-preview',
      ...payloadOf(
        user(text),
        model(signed(call('f'))),
        user(response('f')),
        model(call('g'), signed(call('g'))),
      ),
    },
    ['/contents/3/parts/0'],
    {
      model: 'gemini-3.1-flash',
      ...payloadOf(
        user(text),
        model(call('f')),
        user(response('f'), text),
        model({ text: 'hm', thought: true }, signed(call('g')), call('g')),
        user(response('g'), response('g')),
        model(text),
      ),
    },
  ],
]

describe('gemini rules', () => {
  it.each(CASES)('%s: %s', (rule, _, broken, pointers, valid) => {
    expect(rulesAt(gemini, broken)).toEqual(pointers.map((pointer) => `${rule} ${pointer}`))
    expect(rulesAt(gemini, valid)).toEqual([])
  })

  it('have a case each', () => {
    expect(new Set(CASES.map(([rule]) => rule))).toEqual(new Set(gemini.rules.map(({ id }) => id)))
  })

  it('do not ask older models, and models that nobody names, for signatures', () => {
    const contents = [user(text), model(call('f')), user(response('f'))]
    for (const name of ['gemini-2.5-pro', 'gemini-1.5-flash', 'gemini-flash-latest', 'gemma-3']) {
      expect(rulesAt(gemini, { model: name, contents } as JsonObject)).toEqual([])
    }
    expect(faults(...contents)).toEqual([])
    for (const name of ['gemini-3-flash', 'google/gemini-3.1-pro', 'gemini-10-pro']) {
      expect(rulesAt(gemini, { model: name, contents } as JsonObject)).toHaveLength(1)
    }
  })

  it('pair responses without ids by name, in order, and tell the ones that are over', () => {
    const calls = model(call('f', '1'), call('g'), call('f', '2'))
    expect(faults(user(text), calls, user(response('f'), response('f'), response('g')))).toEqual([])
    expect(
      faults(
        user(text),
        calls,
        user(response('f', '1'), response('f'), response('f'), response('g')),
      ),
    ).toEqual(['duplicate-result /contents/2/parts/2'])
  })

  it('find responses that stand in two contents, for the API counts those of one', () => {
    expect(
      faults(
        user(text),
        model(call('f'), call('g')),
        user(response('f')),
        user(response('g')),
        model(text),
      ),
    ).toEqual(['call-without-result /contents/1/parts/1', 'result-misplaced /contents/3/parts/0'])
  })

  it('tell a response that is late from one that is the second', () => {
    const asked = [user(text), model(call('f', '1')), user(text)]
    expect(
      faults(...asked, user(response('f', '1')), model(text), user(response('f', '1'))),
    ).toEqual([
      'call-without-result /contents/1/parts/0',
      'result-misplaced /contents/3/parts/0',
      'duplicate-result /contents/5/parts/0',
    ])
  })

  it('read snake_case as they read camelCase', () => {
    const asked = [user(text), model({ function_call: { name: 'f' } })]
    const answered = user({ function_response: { name: 'f', response: {} } })
    expect(faults(...asked, answered, model(text))).toEqual([])
    expect(faults(...asked, user(text))).toEqual(['call-without-result /contents/1/parts/0'])
    expect(faults(user(text), answered)).toEqual(['result-without-call /contents/1/parts/0'])
    expect(faults(user(text, { executable_code: {} }, { code_execution_result: {} }))).toEqual([
      'part-role /contents/0/parts/1',
      'part-role /contents/0/parts/2',
    ])
  })

  it('know calls of any kind of content, and contents of any role before them', () => {
    expect(faults(model(call('f')), functions(response('f')), model(call('f')))).toEqual([
      'first-role /contents/0/role',
      'call-placement /contents/0',
    ])
    expect(faults(user(text), user(call('f')), user(response('f')))).toEqual([
      'part-role /contents/1/parts/0',
    ])
  })

  it.each([
    '{}',
    '{"contents":null}',
    '{"contents":[null,1,"x",[],{},{"role":null},{"role":"user","parts":{"__proto__":1}}]}',
    '{"contents":[{"role":"model","parts":[null,1,[],{"functionCall":null},{"functionResponse":7}]}]}',
    '{"model":{},"contents":[{"parts":[{"functionCall":{"name":{},"id":[]}}]}]}',
    '{"__proto__":{"contents":[]},"constructor":{"contents":[]}}',
  ])('are total: %s', (source) => {
    const payload = parse(source)
    expect(() => gemini.check(payload)).not.toThrow()
    expect(() => verdictOf(gemini.findEvidence(payload))).not.toThrow()
    expect(rulesAt(gemini, payload)).not.toEqual([])
  })
})
