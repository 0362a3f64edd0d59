import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src/engine/transcript.ts'
import { openaiResponses } from '../../../src/formats/openai-responses/index.ts'
import { base64, png } from './sample-media.ts'
import { read } from './support.ts'

const transcriptOf = (...input: JsonValue[]) => read(openaiResponses, { input })
const entryOf = (item: JsonValue) => transcriptOf(item).entries[0]
const picture = `data:image/png;base64,${base64(png(3, 2))}`
const call = (type: string, members: JsonObject): JsonObject => ({ type, call_id: 'a', ...members })

describe('openai-responses reading of calls', () => {
  it.each<[string, JsonObject, string, string]>([
    [
      'a function',
      call('function_call', { name: 'look', arguments: '{"q":1}' }),
      'look({"q":1})',
      'look',
    ],
    ['a custom tool', call('custom_tool_call', { name: 'run', input: 'ls' }), 'run(ls)', 'run'],
    [
      'a local shell',
      call('local_shell_call', { id: 'l', action: { command: ['ls'] } }),
      'local_shell({"command":["ls"]})',
      'local_shell',
    ],
    [
      'a shell',
      call('shell_call', { action: { commands: ['ls'] } }),
      'shell({"commands":["ls"]})',
      'shell',
    ],
    [
      'a patch',
      call('apply_patch_call', { operation: { path: 'a' } }),
      'apply_patch({"path":"a"})',
      'apply_patch',
    ],
    [
      'a computer, one action',
      call('computer_call', { action: { type: 'click' } }),
      'computer({"type":"click"})',
      'computer',
    ],
    [
      'a computer, several actions',
      call('computer_call', { actions: [{ type: 'click' }] }),
      'computer([{"type":"click"}])',
      'computer',
    ],
    [
      'a tool search',
      call('tool_search_call', { execution: 'client', arguments: { q: 'x' } }),
      'tool_search({"q":"x"})',
      'tool_search',
    ],
    ['a program', call('program', { code: 'go()' }), 'program(go())', 'program'],
    [
      'a request for approval',
      { type: 'mcp_approval_request', id: 'a', name: 'send', arguments: '{}' },
      'send({})',
      'send',
    ],
  ])('reads %s', (_, item, text, toolName) => {
    const entry = entryOf(item)
    expect(entry?.role).toBe('assistant')
    expect(entry?.parts).toMatchObject([
      { kind: 'tool-call', text, tokens: text.length, rewritable: false, callId: 'a', toolName },
    ])
    expect(entry?.unresolvedCalls).toEqual(['a'])
  })

  it('gives the arguments of a function as its JSON text, and an action as its value', () => {
    const { entries } = transcriptOf(
      call('function_call', { name: 'f', arguments: '{"path":"a"}' }),
      { ...call('shell_call', { action: { commands: ['ls'] } }), call_id: 'b' },
    )
    expect(entries.map(({ parts }) => parts[0]?.toolArguments)).toEqual([
      '{"path":"a"}',
      { commands: ['ls'] },
    ])
  })

  it.each([
    ['that may be answered later', { async: true }, []],
    ['of the usual kind', {}, ['unanswered-tool-call']],
  ])('warns where the conversation goes on, not of a call %s', (_, members, codes) => {
    const { entries, warnings } = transcriptOf(
      call('function_call', { name: 'f', arguments: '{}', ...members }),
      { role: 'user', content: 'and?' },
    )
    expect(entries[0]?.unresolvedCalls).toEqual(['a'])
    expect(warnings.map(({ code }) => code)).toEqual(codes)
  })
})

describe('openai-responses reading of results', () => {
  it.each<[string, JsonObject, object]>([
    ['a text', call('function_call_output', { output: 'ok' }), { text: 'ok', rewritable: true }],
    [
      'texts in a list',
      call('custom_tool_call_output', {
        output: [
          { type: 'input_text', text: 'a' },
          { type: 'input_text', text: 'b' },
        ],
      }),
      { text: 'a\nb', tokens: 3, rewritable: true },
    ],
    [
      'an unknown part in a list',
      call('function_call_output', { output: [{ type: 'x' }] }),
      { rewritable: false },
    ],
    [
      'a shell',
      call('shell_call_output', {
        output: [
          { stdout: 'out', stderr: '', outcome: { type: 'exit', exit_code: 0 } },
          { stdout: '', stderr: 'err', outcome: { type: 'exit', exit_code: 0 } },
        ],
      }),
      { text: 'out\nerr', tokens: 7, rewritable: true },
    ],
    [
      'a shell of another shape',
      call('shell_call_output', { output: 'out' }),
      { text: '', rewritable: false },
    ],
    [
      'a local shell',
      call('local_shell_call_output', { output: '{"out":1}' }),
      { text: '{"out":1}', rewritable: false },
    ],
    [
      'a patch',
      call('apply_patch_call_output', { status: 'completed', output: 'done' }),
      { text: 'done', rewritable: true },
    ],
    [
      'a patch that says nothing',
      call('apply_patch_call_output', { status: 'completed' }),
      { text: '', tokens: 0, rewritable: false },
    ],
    [
      'a tool search',
      call('tool_search_output', { tools: [{ name: 'f' }, { name: 'g' }] }),
      { text: 'f\ng', tokens: 27, rewritable: false },
    ],
    ['a program', call('program_output', { result: '7' }), { text: '7', rewritable: false }],
    [
      'an approval',
      { type: 'mcp_approval_response', approval_request_id: 'a', approve: true },
      { text: 'approved', rewritable: false },
    ],
    [
      'a refusal with its reason',
      { type: 'mcp_approval_response', approval_request_id: 'a', approve: false, reason: 'no' },
      { text: 'not approved: no', rewritable: false },
    ],
  ])('reads that of %s', (_, item, expected) => {
    const entry = entryOf(item)
    expect(entry?.role).toBe('tool')
    expect(entry?.parts).toMatchObject([{ kind: 'tool-result', callId: 'a', ...expected }])
  })

  it('counts pictures in a result by their size, and tells them apart', () => {
    const image = { type: 'input_image', image_url: picture }
    const entry = entryOf(
      call('function_call_output', { output: [{ type: 'input_text', text: 'ab' }, image] }),
    )
    expect(entry?.parts).toMatchObject([
      { tokens: 6002, rewritable: true, media: { count: 1, tokens: 6000, bytes: picture.length } },
    ])
    expect(entry?.parts[0]?.text).toMatch(/^ab\n\[input_image [0-9a-f]{12}\]$/)
  })

  it('reads the screenshot of a computer as what cannot be replaced by a text', () => {
    const output = { type: 'computer_screenshot', image_url: picture }
    expect(entryOf(call('computer_call_output', { output }))?.parts).toMatchObject([
      { kind: 'tool-result', tokens: 6000, rewritable: false, media: { count: 1 } },
    ])
  })

  it.each<[string, JsonObject, boolean | undefined]>([
    ['a timeout', call('shell_call_output', { output: [chunk({ type: 'timeout' })] }), true],
    ['an exit code', call('shell_call_output', { output: [chunk(exit(2))] }), true],
    ['no failure', call('shell_call_output', { output: [chunk(exit(0))] }), false],
    [
      'a failure among others',
      call('shell_call_output', { output: [chunk(exit(0)), chunk(exit(2))] }),
      true,
    ],
    [
      'no outcome',
      call('shell_call_output', { output: [chunk(exit(0)), chunk({ type: 'exit' })] }),
      undefined,
    ],
    ['a patch', call('apply_patch_call_output', { status: 'failed', output: 'no' }), true],
    [
      'a patch that went in',
      call('apply_patch_call_output', { status: 'completed', output: 'done' }),
      false,
    ],
    [
      'what a function says, which has no place for it',
      call('function_call_output', { output: 'Error' }),
      undefined,
    ],
  ])('tells how it went by what the item says of it: %s', (_, item, isError) => {
    expect(entryOf(item)?.parts[0]?.isError).toBe(isError)
  })

  it('leaves what a container of the provider wrote as it is', () => {
    const hosted = { environment: { type: 'container_reference', container_id: 'c' } }
    const result = call('shell_call_output', { output: [chunk(exit(0))] })
    const rewritable = (members: JsonObject) =>
      transcriptOf(call('shell_call', { action: {}, ...members }), result).entries[1]?.parts[0]
        ?.rewritable
    expect(rewritable(hosted)).toBe(false)
    expect(rewritable({ environment: { type: 'local' } })).toBe(true)
  })

  it('takes a function result without an id, which the API allows, and pairs it with nothing', () => {
    const { entries, warnings } = transcriptOf(
      { type: 'function_call', call_id: 'a', name: 'f', arguments: '' },
      { type: 'function_call_output', call_id: null, name: 'f', output: 'x' },
    )
    expect(entries[1]?.parts).toMatchObject([{ kind: 'tool-result', text: 'x' }])
    expect(entries[1]?.links).toEqual(['pending'])
    expect(warnings).toEqual([])
  })

  it('knows the tool of a result by its call', () => {
    const { entries } = transcriptOf(
      call('custom_tool_call', { name: 'run', input: '' }),
      call('custom_tool_call_output', { output: 'x' }),
    )
    expect(entries[1]?.parts[0]?.toolName).toBe('run')
  })
})

function exit(exit_code: number): JsonObject {
  return { type: 'exit', exit_code }
}

function chunk(outcome: JsonObject): JsonObject {
  return { stdout: 'o', stderr: '', outcome }
}
