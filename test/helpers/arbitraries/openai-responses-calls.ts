import type { CallSketch } from './calls.ts'
import { inputImage } from './openai-responses-content.ts'
import type { Style } from './scenario.ts'
import type { JsonObject } from './types.ts'

export interface ResponsesPair {
  readonly call: JsonObject
  readonly result: JsonObject
}

export interface ResponsesCalls {
  readonly write: (call: CallSketch, style: Style) => ResponsesPair
}

/** It counts ids, so it serves one conversation only. */
export function createResponsesCalls(): ResponsesCalls {
  let count = 0
  return {
    write: (call, style) => {
      const number = String(count++).padStart(4, '0')
      const write = WRITERS[familyOf(call.tool, style)]
      const pair = write(call, number, style)
      return { call: { ...pair.call, ...call.extra }, result: { ...pair.result, ...call.extra } }
    },
  }
}

type Family =
  | 'function'
  | 'custom'
  | 'shell'
  | 'local-shell'
  | 'apply-patch'
  | 'computer'
  | 'tool-search'
  | 'approval'

/** Tools that OpenAI has items of their own for; every tool is a plain function now and then. */
const FAMILIES: Readonly<Record<string, Partial<Record<Style['shape'], Family>>>> = {
  run_command: { parts: 'local-shell', 'many-parts': 'shell', image: 'shell' },
  write_file: { string: 'apply-patch', parts: 'apply-patch', special: 'custom' },
  search: { special: 'custom', 'many-parts': 'tool-search', parts: 'tool-search' },
  skill: { 'unknown-part': 'custom' },
  ping: {
    string: 'computer',
    image: 'computer',
    parts: 'approval',
    special: 'approval',
    'many-parts': 'approval',
  },
}

function familyOf(tool: string, { shape }: Style): Family {
  return FAMILIES[tool]?.[shape] ?? 'function'
}

type Write = (call: CallSketch, number: string, style: Style) => ResponsesPair

const status = 'completed'

const WRITERS: Readonly<Record<Family, Write>> = {
  function: (call, number, { named, partExtra }) => {
    const id = `call_${number}`
    return {
      call: {
        ...(named && { id: `fc_${number}`, status }),
        type: 'function_call',
        call_id: id,
        name: call.tool,
        arguments: JSON.stringify(call.arguments),
        ...partExtra,
      },
      result: { type: 'function_call_output', call_id: id, output: outputOf(call) },
    }
  },
  custom: (call, number) => {
    const id = `call_${number}`
    const input = JSON.stringify(call.arguments)
    return {
      call: { type: 'custom_tool_call', id: `ctc_${number}`, call_id: id, name: call.tool, input },
      result: { type: 'custom_tool_call_output', call_id: id, output: outputOf(call) },
    }
  },
  shell: (call, number) => {
    const id = `call_${number}`
    const outcome = { type: 'exit', exit_code: call.failed ? 1 : 0 }
    const output = [{ stdout: call.output, stderr: '', outcome }]
    const action = { commands: [String(call.arguments.command)], timeout_ms: null }
    return {
      call: { type: 'shell_call', id: `sh_${number}`, call_id: id, status, action },
      result: { type: 'shell_call_output', call_id: id, max_output_length: 4096, output },
    }
  },
  'local-shell': (call, number, { named }) => {
    const id = `call_${number}`
    const command = ['sh', '-c', String(call.arguments.command)]
    const action = { type: 'exec', command, env: {} }
    return {
      call: { type: 'local_shell_call', id: `lsh_${number}`, call_id: id, status, action },
      result: {
        type: 'local_shell_call_output',
        ...(named ? { id } : { call_id: id }),
        output: call.output,
      },
    }
  },
  'apply-patch': (call, number) => {
    const id = `call_${number}`
    const path = String(call.arguments.path)
    const operation = { type: 'create_file', path, diff: `+${String(call.arguments.content)}` }
    return {
      call: { type: 'apply_patch_call', id: `apc_${number}`, call_id: id, status, operation },
      result: {
        type: 'apply_patch_call_output',
        call_id: id,
        status: call.failed ? 'failed' : status,
        ...(call.shape !== 'nothing' && { output: call.output }),
      },
    }
  },
  computer: (_, number) => {
    const id = `call_${number}`
    const picture = { type: 'computer_screenshot', image_url: inputImage().image_url }
    const action = { type: 'screenshot' }
    return {
      call: {
        type: 'computer_call',
        id: `cu_${number}`,
        call_id: id,
        status,
        action,
        pending_safety_checks: [],
      },
      result: { type: 'computer_call_output', call_id: id, output: picture },
    }
  },
  'tool-search': (call, number) => {
    const id = `call_${number}`
    const execution = 'client'
    const tools = [{ type: 'function', name: 'late', parameters: { about: call.output } }]
    return {
      call: {
        type: 'tool_search_call',
        id: `tsc_${number}`,
        call_id: id,
        execution,
        status,
        arguments: { goal: String(call.arguments.pattern) },
      },
      result: { type: 'tool_search_output', call_id: id, execution, status, tools },
    }
  },
  approval: (call, number) => {
    const id = `mcpr_${number}`
    const request = { server_label: 'docs', name: call.tool, arguments: '{}' }
    return {
      call: { type: 'mcp_approval_request', id, ...request },
      result: { type: 'mcp_approval_response', approval_request_id: id, approve: !call.failed },
    }
  },
}

function outputOf({ shape, output, extra }: CallSketch): string | JsonObject[] {
  if (shape === 'nothing') return ''
  if (shape === 'text') return output
  const text = { type: 'input_text', text: output, ...extra }
  return shape === 'image' ? [text, inputImage()] : [text]
}
