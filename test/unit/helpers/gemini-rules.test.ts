import { describe, expect, it } from 'vitest'
import { findGeminiFaults } from '../../helpers/wire-rules/gemini.ts'

const text = (words: string, members: object = {}) => ({ text: words, ...members })
const user = { role: 'user', parts: [text('What is the weather in Paris and Rome?')] }
const answer = { role: 'model', parts: [text('Sunny in both.')] }
const call = (name: string, id?: string) => ({
  functionCall: { name, args: {}, ...(id && { id }) },
})
const response = (name: string, id?: string) => ({
  functionResponse: { name, response: { output: 'sunny' }, ...(id && { id }) },
})
const model = (...parts: unknown[]) => ({ role: 'model', parts })
const results = (...parts: unknown[]) => ({ role: 'user', parts })
const code = { executableCode: { language: 'PYTHON', code: 'print(1)' } }
const ran = { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } }
const thought = text('Let it run.', { thought: true })

const faultsOf = (contents: unknown) => findGeminiFaults({ contents })

describe('gemini rules: what the provider takes', () => {
  it.each<[string, unknown[]]>([
    ['a plain exchange', [user, answer, user]],
    ['a content without role as the first', [{ parts: [text('Hello.')] }, answer]],
    [
      'parallel calls with ids and responses in another order',
      [
        user,
        model(call('f', 'a'), call('g', 'b')),
        results(response('g', 'b'), response('f', 'a')),
      ],
    ],
    [
      'calls of one name without ids',
      [user, model(call('f'), call('f')), results(response('f'), response('f')), answer],
    ],
    [
      'responses without id to calls that have one',
      [user, model(call('f', 'a'), call('f', 'b')), results(response('f'), response('f')), answer],
    ],
    [
      'a response without id beside one with the id of another call of its name',
      [user, model(call('f', 'a'), call('f')), results(response('f'), response('f', 'a')), answer],
    ],
    [
      'a response with an id of its own to a call without',
      [
        user,
        model(call('f'), call('f', 'b')),
        results(response('f', 'x'), response('f', 'b')),
        answer,
      ],
    ],
    [
      'a response with an id of its own behind one with the id of its call',
      [
        user,
        model(call('f'), call('f', 'b')),
        results(response('f', 'b'), response('f', 'x')),
        answer,
      ],
    ],
    [
      'responses under the role function',
      [user, model(call('f')), { role: 'function', parts: [response('f')] }, answer],
    ],
    [
      'members in snake case',
      [
        user,
        model({ function_call: { name: 'f' }, thought_signature: 'Ci==' }),
        results({ function_response: { name: 'f', response: {} } }),
        answer,
      ],
    ],
    [
      'several rounds of calls with the same ids',
      [
        user,
        model(call('f', 'a')),
        results(response('f', 'a')),
        model(call('f', 'a')),
        results(response('f', 'a')),
        answer,
      ],
    ],
    ['calls that are pending at the tail', [user, model(call('f'), call('g'))]],
    [
      'calls that are answered in part at the tail',
      [user, model(call('f'), call('g')), results(response('g'))],
    ],
    [
      'an empty text that carries a signature',
      [user, model(text('', { thoughtSignature: 'Ci==' }))],
    ],
    [
      'code with two results and a thought between',
      [user, model(code, thought, ran, ran, text('1'))],
    ],
    [
      'results of code by id',
      [
        user,
        model({ executableCode: { ...code.executableCode, id: 'x' } }, text('Wait.'), {
          codeExecutionResult: { ...ran.codeExecutionResult, id: 'x' },
        }),
      ],
    ],
    ['an unknown kind of part', [{ role: 'user', parts: [{ x_widget: {} }] }]],
  ])('accepts %s', (_, contents) => {
    expect(faultsOf(contents)).toEqual([])
  })
})

describe('gemini rules: what the provider refuses', () => {
  it.each<[string, unknown, string, string]>([
    ['no list', 'hello', 'structure', '/contents'],
    ['an empty list', [], 'structure', '/contents'],
    ['an item that is no object', [user, 'hello'], 'structure', '/contents/1'],
    [
      'a role of another format',
      [user, { ...answer, role: 'assistant' }],
      'known-role',
      '/contents/1/role',
    ],
    ['a model that speaks first', [answer, user], 'first-role', '/contents/0'],
    ['no parts', [user, { role: 'model' }], 'empty-content', '/contents/1/parts'],
    ['an empty list of parts', [{ role: 'user', parts: [] }], 'empty-content', '/contents/0/parts'],
    ['a part without members', [results({})], 'empty-part', '/contents/0/parts/0'],
    [
      'a part with null for its data',
      [results({ text: null })],
      'empty-part',
      '/contents/0/parts/0',
    ],
    [
      'a part of nothing but a signature',
      [user, model({ thought_signature: 'Ci==', thought: true })],
      'empty-part',
      '/contents/1/parts/0',
    ],
    ['an empty text', [user, model(text(''), text('x'))], 'empty-part', '/contents/1/parts/0'],
    [
      'an empty text with members that no schema knows',
      [results(text('', { x_trace: 1 }))],
      'empty-part',
      '/contents/0/parts/0',
    ],
    ['a call of the user', [results(call('f'))], 'part-role', '/contents/0/parts/0'],
    ['code of the user', [results({ executable_code: {} })], 'part-role', '/contents/0/parts/0'],
    [
      'a response of the model',
      [user, model(response('f'), text('x'))],
      'part-role',
      '/contents/1/parts/0',
    ],
    [
      'one of two calls without response',
      [user, model(call('f'), call('g')), results(response('g')), answer],
      'call-without-result',
      '/contents/1/parts/0',
    ],
    [
      'a call without id that has too few responses of its name',
      [user, model(call('f'), call('f')), results(response('f')), answer],
      'call-without-result',
      '/contents/1/parts/1',
    ],
    [
      'a call with id beside one without, of which one has a response without id',
      [user, model(call('f', 'a'), call('f')), results(response('f')), answer],
      'call-without-result',
      '/contents/1/parts/0',
    ],
    [
      'a call that is followed by a request',
      [user, model(call('f')), user],
      'call-without-result',
      '/contents/1/parts/0',
    ],
    [
      'a call that is answered in part beside a request at the tail',
      [user, model(call('f'), call('g')), results(response('f'), text('Go on.'))],
      'call-without-result',
      '/contents/1/parts/1',
    ],
    [
      'a response to nobody',
      [user, answer, results(response('f'))],
      'result-without-call',
      '/contents/2/parts/0',
    ],
    [
      'a response as the first content',
      [results(response('f')), answer],
      'result-without-call',
      '/contents/0/parts/0',
    ],
    [
      'a response that comes twice',
      [user, model(call('f', 'a')), results(response('f', 'a'), response('f', 'a')), answer],
      'duplicate-result',
      '/contents/2/parts/1',
    ],
    [
      'a response that comes again later',
      [user, model(call('f')), results(response('f')), answer, results(response('f'), text('x'))],
      'duplicate-result',
      '/contents/4/parts/0',
    ],
    [
      'calls behind another content of the model',
      [user, answer, model(call('f'))],
      'call-placement',
      '/contents/2',
    ],
    [
      'a code result without code',
      [user, model(text('x'), ran)],
      'code-result-without-code',
      '/contents/1/parts/1',
    ],
    [
      'a code result behind a text',
      [user, model(code, text('x'), ran)],
      'code-result-without-code',
      '/contents/1/parts/2',
    ],
  ])('rejects %s', (_, contents, rule, pointer) => {
    expect(faultsOf(contents)).toEqual([{ rule, pointer }])
  })

  it('names both ends of a response that names another id', () => {
    expect(faultsOf([user, model(call('f', 'a')), results(response('f', 'b')), answer])).toEqual([
      { rule: 'result-without-call', pointer: '/contents/2/parts/0' },
      { rule: 'call-without-result', pointer: '/contents/1/parts/0' },
    ])
  })

  it('names both ends of responses that are split over two contents', () => {
    const split = [results(response('f')), results(response('g'))]
    expect(faultsOf([user, model(call('f'), call('g')), ...split, answer])).toEqual([
      { rule: 'result-misplaced', pointer: '/contents/3/parts/0' },
      { rule: 'call-without-result', pointer: '/contents/1/parts/1' },
    ])
  })

  it('names a call that opens the conversation for its role and for its place', () => {
    expect(faultsOf([model(call('f')), results(response('f')), answer])).toEqual([
      { rule: 'first-role', pointer: '/contents/0' },
      { rule: 'call-placement', pointer: '/contents/0' },
    ])
  })
})
