import { TINY_PNG } from './media.ts'
import type { Style } from './scenario.ts'
import type { JsonObject } from './types.ts'

/** Items that come from the provider, or that only it can read. */
export interface Provided {
  /** No item, one, or two in a row; with an encrypted text or without. */
  readonly reasoning: (thinking: Style['thinking']) => JsonObject[]
  /** A tool that ran at the provider, its result inside. */
  readonly tool: (style: Style) => JsonObject
  readonly compaction: () => JsonObject
  readonly reference: (isTyped: boolean) => JsonObject
  readonly listing: () => JsonObject
  readonly moreTools: () => JsonObject
}

/** It counts ids, so it serves one conversation only. */
export function createProvided(): Provided {
  let count = 0
  const idOf = (kind: string) => `${kind}_${String(count++).padStart(4, '0')}`

  const summary = (text: string) => [{ type: 'summary_text', text }]
  const open = (): JsonObject => {
    const id = idOf('rs')
    return { id, type: 'reasoning', summary: summary(`Weighed the options of ${id}.`) }
  }
  const sealed = (): JsonObject => {
    const id = idOf('rs')
    const text = `gAAAA${Buffer.from(id.repeat(1 + (count % 40))).toString('base64')}`
    return { id, type: 'reasoning', summary: [], encrypted_content: text }
  }

  return {
    reasoning: (thinking) => {
      switch (thinking) {
        case 'none':
          return []
        case 'thinking':
          return [open()]
        case 'redacted':
          return [sealed()]
        case 'both':
          return [open(), sealed()]
      }
    },
    tool: ({ shape, named, cached, extra }) => ({
      ...toolOf(shape, named, cached, idOf),
      ...extra,
    }),
    compaction: () => {
      const id = idOf('cmp')
      const text = Buffer.from(`what came before ${id}`.repeat(20)).toString('base64')
      return { id, type: 'compaction', encrypted_content: text }
    },
    reference: (isTyped) => {
      const id = idOf('msg_ref')
      return isTyped ? { type: 'item_reference', id } : { id }
    },
    listing: () => ({
      id: idOf('mcpl'),
      type: 'mcp_list_tools',
      server_label: 'docs',
      tools: [{ name: 'lookup', input_schema: { type: 'object', properties: {} } }],
    }),
    moreTools: () => ({
      type: 'additional_tools',
      role: 'developer',
      tools: [{ type: 'function', name: 'late', parameters: {}, strict: false }],
    }),
  }
}

function toolOf(
  shape: Style['shape'],
  named: boolean,
  cached: boolean,
  idOf: (kind: string) => string,
): JsonObject {
  const status = 'completed'
  if (shape === 'image') {
    return { id: idOf('ig'), type: 'image_generation_call', status, result: TINY_PNG }
  }
  if (shape === 'unknown-part') {
    return { id: idOf('x'), type: 'x_weather_call', status, report: { sky: ['clear', null] } }
  }
  if (shape === 'special') {
    const query = 'retry budget'
    return named
      ? {
          id: idOf('tsc'),
          type: 'tool_search_call',
          status,
          call_id: null,
          execution: 'server',
          arguments: { paths: ['late'] },
        }
      : { id: idOf('ws'), type: 'web_search_call', status, action: { type: 'search', query } }
  }
  if (named) {
    const results = [{ file_id: 'file_1', filename: 'a.md', score: 0.5, text: 'the retry budget' }]
    return { id: idOf('fs'), type: 'file_search_call', status, queries: ['retry'], results }
  }
  if (cached) {
    const call = { name: 'lookup', server_label: 'docs', arguments: '{"q":"retry"}' }
    return { id: idOf('mcp'), type: 'mcp_call', status, ...call, output: 'found', error: null }
  }
  const outputs = [{ type: 'logs', logs: '3\n' }]
  const container = { container_id: 'cntr_1', code: 'print(1 + 2)' }
  return { id: idOf('ci'), type: 'code_interpreter_call', status, ...container, outputs }
}
