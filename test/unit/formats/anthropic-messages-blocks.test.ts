/** Every block type of the SDK's `BetaContentBlockParam`, and of what stands inside of results. */
import { describe, expect, it } from 'vitest'
import { entryTokens, type JsonObject, type JsonValue } from '../../../src/engine/transcript.ts'
import { anthropicMessages } from '../../../src/formats/anthropic-messages/index.ts'
import { assistant, result, system, user } from './anthropic-blocks.ts'
import { plan, read } from './support.ts'

const partOf = (message: JsonObject) =>
  read(anthropicMessages, { messages: [message] }).entries[0]?.parts[0]

const serverResult = (type: string, content: JsonValue, more: JsonObject = {}): JsonObject => ({
  type,
  tool_use_id: 'srvtoolu_1',
  content,
  ...more,
})
const encrypted = 'Q'.repeat(160)

/** What the provider wrote: opaque and counted; the text is what a summariser is shown. */
const PROVIDERS: readonly [label: string, block: JsonObject, text: string][] = [
  [
    'a web search',
    serverResult('web_search_tool_result', [
      {
        type: 'web_search_result',
        title: 'Ferries',
        url: 'https://example.com/f',
        encrypted_content: encrypted,
      },
    ]),
    '[web_search_tool_result] Ferries\nhttps://example.com/f',
  ],
  [
    'a web search that failed',
    serverResult('web_search_tool_result', {
      type: 'web_search_tool_result_error',
      error_code: 'too_many_requests',
    }),
    '[web_search_tool_result] too_many_requests',
  ],
  [
    'a fetched page',
    serverResult('web_fetch_tool_result', {
      type: 'web_fetch_result',
      url: 'https://example.com/p',
      content: {
        type: 'document',
        title: 'Piers',
        source: { type: 'text', media_type: 'text/plain', data: 'low tide' },
      },
    }),
    '[web_fetch_tool_result] https://example.com/p\nPiers',
  ],
  [
    'code',
    serverResult('code_execution_tool_result', {
      type: 'code_execution_result',
      stdout: '42',
      stderr: 'warned',
      return_code: 0,
      content: [],
    }),
    '[code_execution_tool_result] 42\nwarned',
  ],
  [
    'code whose output is encrypted',
    serverResult('code_execution_tool_result', {
      type: 'encrypted_code_execution_result',
      encrypted_stdout: encrypted,
      stderr: '',
      return_code: 0,
      content: [],
    }),
    '[code_execution_tool_result]',
  ],
  [
    'a shell command',
    serverResult('bash_code_execution_tool_result', {
      type: 'bash_code_execution_result',
      stdout: 'done',
      stderr: '',
    }),
    '[bash_code_execution_tool_result] done',
  ],
  [
    'a file that was created',
    serverResult('text_editor_code_execution_tool_result', {
      type: 'text_editor_code_execution_create_result',
      is_file_update: false,
    }),
    '[text_editor_code_execution_tool_result]',
  ],
  [
    'a tool search',
    serverResult('tool_search_tool_result', {
      type: 'tool_search_tool_search_result',
      tool_references: [{ type: 'tool_reference', tool_name: 'book_ferry' }],
    }),
    '[tool_search_tool_result] book_ferry',
  ],
  [
    'an advisor',
    serverResult('advisor_tool_result', { type: 'advisor_result', text: 'Take the early one.' }),
    '[advisor_tool_result] Take the early one.',
  ],
  [
    'an advisor whose advice is sealed',
    serverResult('advisor_tool_result', {
      type: 'advisor_redacted_result',
      encrypted_content: encrypted,
    }),
    '[advisor_tool_result]',
  ],
  [
    'an MCP call',
    {
      type: 'mcp_tool_use',
      id: 'mcptoolu_1',
      name: 'tides',
      server_name: 'harbour',
      input: { d: 1 },
    },
    '[mcp_tool_use] tides({"d":1})',
  ],
  [
    'what MCP answered',
    serverResult('mcp_tool_result', [{ type: 'text', text: 'high at six' }], { is_error: false }),
    '[mcp_tool_result] high at six',
  ],
  [
    'an MCP error',
    serverResult('mcp_tool_result', 'no such harbour', { is_error: true }),
    '[mcp_tool_result]',
  ],
  [
    'a listing of MCP tools',
    { type: 'mcp_tool_listing', mcp_server_name: 'harbour', tools: [{ name: 'tides' }] },
    '[mcp_tool_listing]',
  ],
  [
    'an upload to the container',
    { type: 'container_upload', file_id: 'file_1' },
    '[container_upload]',
  ],
  [
    'a change of model',
    { type: 'fallback', from: { model: 'a' }, to: { model: 'b' }, trigger: null },
    '[fallback]',
  ],
]

describe('anthropic-messages block types', () => {
  it.each(PROVIDERS)('keeps %s opaque, and shows what can be read of it', (_, block, text) => {
    const part = partOf(assistant(block))
    expect(part).toMatchObject({ kind: 'opaque', text, rewritable: false })
    const sealed = JSON.stringify(block).includes(encrypted)
    const length = JSON.stringify(block).length
    expect(part?.tokens).toBe(sealed ? length - encrypted.length + 30 : length)
  })

  it('shows no more of a result than a model can take, and no half character', () => {
    const found = `${'x'.repeat(19_999)}🙂🙂`
    const block = serverResult('bash_code_execution_tool_result', { type: 'r', stdout: found })
    expect(partOf(assistant(block))?.text).toBe(
      `[bash_code_execution_tool_result] ${'x'.repeat(19_999)}`,
    )
  })

  it.each([
    ['a search result', { type: 'search_result', source: 's', title: 't', content: [] }, 'opaque'],
    [
      'a tool that a system message adds',
      { type: 'tool_addition', tool: { type: 'tool_reference', name: 'x' } },
      'opaque',
    ],
    [
      'a tool that a system message removes',
      { type: 'tool_removal', tool: { type: 'tool_reference', name: 'x' } },
      'opaque',
    ],
  ])('counts %s as its JSON text', (_, block, kind) => {
    const role = block.type === 'search_result' ? 'user' : 'system'
    expect(partOf({ role, content: [block] })).toEqual({
      kind,
      text: `[${block.type}]`,
      tokens: JSON.stringify(block).length,
      rewritable: false,
    })
  })

  it.each([
    ['texts', [{ type: 'text', text: 'a' }], true],
    ['an image', [{ type: 'image', source: { type: 'file', file_id: 'f' } }], true],
    ['a document', [{ type: 'document', source: { type: 'url', url: 'https://e.com/d' } }], true],
    ['search results', [{ type: 'search_result', source: 's', title: 't', content: [] }], true],
    ['tools it has found', [{ type: 'tool_reference', tool_name: 'book_ferry' }], false],
    ['the state of a browser', [{ type: 'browser_state', tabs: [] }], false],
    ['an unknown block', [{ type: 'novel' }], false],
  ])('lets a result be cleared that holds %s: %3$s', (_, content, rewritable) => {
    expect(partOf(user([{ ...result('a'), content }]))?.rewritable).toBe(rewritable)
  })

  it('keeps the calls that one run of code has made together with it', () => {
    const caller = { type: 'code_execution_20250825', tool_id: 'srvtoolu_1' }
    const called = (id: string): JsonObject => ({
      type: 'tool_use',
      id,
      name: 'f',
      input: {},
      caller,
    })
    const run = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'code_execution', input: {} }
    const { entries } = read(anthropicMessages, {
      messages: [
        user(),
        assistant(run, called('a')),
        user([result('a')]),
        assistant(called('b')),
        user([result('b')]),
        assistant(serverResult('code_execution_tool_result', {}), { type: 'text', text: 't' }),
      ],
    })
    const of = (index: number) => entries[index]?.links ?? []
    expect(of(1)).toContain('caller:srvtoolu_1')
    expect(of(3)).toContain('caller:srvtoolu_1')
    expect(of(1).some((label) => of(5).includes(label))).toBe(true)
  })

  it('counts a system message that is cleared only until a user speaks', () => {
    const once = { ...system('ab'), clear_at: 'next_user_message' }
    const reply = { role: 'assistant', content: 'x' }
    const asked = user('hi')
    const tokens = (...messages: JsonObject[]) =>
      read(anthropicMessages, { messages }).entries.map(entryTokens)
    expect(tokens(asked, once)).toEqual([4 + 2, 4 + 2])
    expect(tokens(asked, once, reply)).toEqual([4 + 2, 4 + 2, 4 + 1])
    expect(tokens(asked, once, reply, asked)).toEqual([4 + 2, 0, 4 + 1, 4 + 2])
    expect(tokens(asked, { ...once, clear_at: 'never' }, reply, asked)[1]).toBe(4 + 2)
    // What may be dropped does not clear it: the count would not hold.
    const marker = '[3 earlier messages truncated to fit the context window]'
    expect(tokens(asked, once, reply, { ...asked, content: marker })[1]).toBe(4 + 2)
  })

  it('writes back the members of a response that it does not read', () => {
    const message = {
      ...assistant({ type: 'text', text: 'Done.' }),
      id: 'msg_1',
      type: 'message',
      stop_reason: 'pause_turn',
      container: { id: 'container_1', expires_at: '2026-05-01T00:00:00Z' },
      context_management: { applied_edits: [] },
    }
    const written = anthropicMessages.write(
      { messages: [user(), message] },
      plan({ replaced: { 1: { 0: 'D.' } } }),
    )
    expect(written.messages).toEqual([
      user(),
      { ...message, content: [{ type: 'text', text: 'D.' }] },
    ])
  })
})
