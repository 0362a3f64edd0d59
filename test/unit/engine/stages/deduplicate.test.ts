import { describe, expect, it } from 'vitest'
import { deduplicate } from '../../../../src/engine/stages/deduplicate.ts'
import { fakePorts } from '../../../helpers/fake-ports.ts'
import {
  assistant,
  buildTranscript,
  calling,
  type EntrySpec,
  exchange,
  ofTokens,
  resultPart,
  returning,
  user,
} from '../../../helpers/transcript-builder.ts'
import { stageInput } from '../stage-input.ts'

function run(specs: readonly EntrySpec[], pins: readonly number[] = []) {
  const input = stageInput(buildTranscript([user('task'), ...specs, user('now')]), {
    target: 1,
    pins,
  })
  return deduplicate(input, fakePorts()).edits
}

/** Numbers of the messages whose result went, from 1 for the first of the specs. */
const superseded = (...args: Parameters<typeof run>) =>
  run(...args).map((edit) => (edit.op === 'replace-text' ? edit.entry : -1))

const OUTPUT = ofTokens(50, 'same')

describe('deduplicate of identical results', () => {
  it('keeps the last of byte-identical results, whatever the tools', () => {
    const specs = ['grep', 'run', 'find'].flatMap((toolName) =>
      exchange(toolName, OUTPUT, { toolName }),
    )
    expect(run(specs)).toEqual(
      [2, 4].map((entry) => ({
        op: 'replace-text',
        entry,
        part: 0,
        text: '[Superseded: the same result came again later]',
        reason: 'identical-result',
      })),
    )
  })

  it('takes results that differ in a single byte for different ones', () => {
    expect(run([...exchange('c1', OUTPUT), ...exchange('c2', `${OUTPUT} `)])).toEqual([])
  })

  it('tells results of one length apart, and finds the repeats of each', () => {
    const outputs = ['a', 'b', 'c'].map((letter) => ofTokens(50, letter))
    const lengths = new Set(outputs.map((output) => output.length))
    const specs = [...outputs, ...outputs].flatMap((output, index) => exchange(`c${index}`, output))
    expect(lengths.size).toBe(1)
    expect(superseded(specs)).toEqual([2, 4, 6])
  })

  it('decides nothing from prose', () => {
    const prose = 'I read the file src/a.ts and will read the file src/a.ts again. '.repeat(9)
    expect(run([assistant(prose), user(prose), assistant(prose)])).toEqual([])
  })

  it('leaves results that are no longer than what would stand in their place', () => {
    expect(run([...exchange('c1', 'ok'), ...exchange('c2', 'ok')])).toEqual([])
    expect(run([...exchange('c1', ''), ...exchange('c2', '')])).toEqual([])
  })

  it('leaves pins, and parts that may not be rewritten, but counts them as later ones', () => {
    const specs = [...exchange('c1', OUTPUT), ...exchange('c2', OUTPUT), ...exchange('c3', OUTPUT)]
    expect(superseded(specs, [2])).toEqual([4])
    const signed = [calling([{ callId: 's' }]), returning('s', OUTPUT, { rewritable: false })]
    expect(superseded([...signed, ...exchange('c1', OUTPUT)])).toEqual([])
    expect(superseded([...exchange('c1', OUTPUT), ...signed])).toEqual([2])
  })

  it('keeps the last of several in one message', () => {
    const parts = [resultPart('a', OUTPUT), resultPart('b', OUTPUT)]
    const specs: EntrySpec[] = [
      calling([{ callId: 'a' }, { callId: 'b' }]),
      { role: 'tool', parts },
    ]
    expect(run(specs)).toMatchObject([{ entry: 2, part: 0 }])
  })

  it('supersedes nothing by a result that is cleared or gone', () => {
    const cleared = `[Tool result cleared: run]${' '.repeat(150)}`
    expect(run([...exchange('c1', cleared), ...exchange('c2', cleared)])).toEqual([])
    const specs = [user('task'), ...exchange('c1', OUTPUT), ...exchange('c2', OUTPUT), user('now')]
    const input = stageInput(buildTranscript(specs), { target: 1 })
    input.state.apply({ drops: new Set([3, 4]), replacements: new Map() })
    expect(deduplicate(input, fakePorts()).edits).toEqual([])
  })

  it('collapses a repeated failure too', () => {
    const failed = (callId: string) => [
      calling([{ callId }]),
      returning(callId, OUTPUT, { isError: true }),
    ]
    expect(superseded([...failed('c1'), ...failed('c2')])).toEqual([2])
  })
})

const reading = (
  callId: string,
  toolArguments: Parameters<typeof exchange>[2] extends infer Call
    ? Call extends { toolArguments?: infer Value }
      ? Value
      : never
    : never,
  toolName = 'read_file',
) => exchange(callId, ofTokens(50, `content ${callId}`), { toolName, toolArguments })

describe('deduplicate of repeated reads', () => {
  it('keeps the last of several reads of one file', () => {
    const specs = ['c1', 'c2', 'c3'].flatMap((callId) => reading(callId, { path: 'a.ts' }))
    expect(run(specs)).toEqual(
      [2, 4].map((entry) => ({
        op: 'replace-text',
        entry,
        part: 0,
        text: '[Superseded: the file was read again later]',
        reason: 'repeated-read',
      })),
    )
  })

  it('takes arguments as text and as a value for the same, in whatever order', () => {
    const specs = [
      ...reading('c1', { path: 'a.ts', limit: 3 }),
      ...reading('c2', '{"limit":3,"path":"a.ts"}'),
    ]
    expect(superseded(specs)).toEqual([2])
  })

  it.each<[string, [string, string], [string, string]]>([
    ['another file', ['read_file', '{"path":"a.ts"}'], ['read_file', '{"path":"a.ts,"}']],
    [
      'another range',
      ['read_file', '{"path":"a.ts","from":1}'],
      ['read_file', '{"path":"a.ts","from":2}'],
    ],
    [
      'a range and the whole',
      ['read_file', '{"path":"a.ts"}'],
      ['read_file', '{"path":"a.ts","from":2}'],
    ],
    ['another tool', ['read_file', '{"path":"a.ts"}'], ['view', '{"path":"a.ts"}']],
    ['no path', ['read_file', '{"id":"a.ts"}'], ['read_file', '{"id":"a.ts"}']],
    ['a path that is no text', ['read_file', '{"path":3}'], ['read_file', '{"path":3}']],
    ['arguments that are no JSON', ['read_file', '{path:"a.ts"}'], ['read_file', '{path:"a.ts"}']],
    ['arguments that are a list', ['read_file', '["a.ts"]'], ['read_file', '["a.ts"]']],
    ['arguments that are null', ['read_file', 'null'], ['read_file', 'null']],
    ['a tool that writes', ['write_file', '{"path":"a.ts"}'], ['write_file', '{"path":"a.ts"}']],
    ['read within a word', ['thread_pool', '{"path":"a.ts"}'], ['thread_pool', '{"path":"a.ts"}']],
  ])('takes %s for no repeated read', (_, [tool, first], [otherTool, second]) => {
    expect(run([...reading('c1', first, tool), ...reading('c2', second, otherTool)])).toEqual([])
  })

  it.each([
    ['readFile', '{"filePath":"a.ts"}'],
    ['Read', '{"file_path":"a.ts"}'],
    ['fs.cat', '{"absolutePath":"a.ts"}'],
    ['mcp__files__view', '{"uri":"file:///a.ts"}'],
  ])('knows %s as a tool that reads', (tool, toolArguments) => {
    expect(
      superseded([...reading('c1', toolArguments, tool), ...reading('c2', toolArguments, tool)]),
    ).toEqual([2])
  })

  it('makes no read superfluous by one that failed, and takes no failure for a read', () => {
    const failed = [
      calling([{ callId: 'bad', toolName: 'read_file', toolArguments: { path: 'a.ts' } }]),
      returning('bad', ofTokens(50, 'no such file'), { isError: true, toolName: 'read_file' }),
    ]
    expect(run([...reading('c1', { path: 'a.ts' }), ...failed])).toEqual([])
    expect(run([...failed, ...reading('c1', { path: 'a.ts' })])).toEqual([])
  })

  it('pairs a result with its own call where a result has none', () => {
    const orphan = returning('c9', ofTokens(50, 'orphan'), { toolName: 'read_file' })
    const nameless: EntrySpec = {
      role: 'tool',
      parts: [{ kind: 'tool-result', text: ofTokens(50, 'nameless') }],
    }
    expect(run([orphan, nameless, ...reading('c1', { path: 'a.ts' })])).toEqual([])
  })

  it('is not switched off by one call whose arguments nest too deep to write down', () => {
    const deep = `{"path":"deep","x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
    const specs = [
      ...reading('d1', deep),
      ...reading('c1', { path: 'a.ts' }),
      ...reading('c2', { path: 'a.ts' }),
      ...reading('d2', deep),
    ]
    expect(superseded(specs)).toEqual([4])
  })
})
