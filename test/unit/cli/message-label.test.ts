import { expect, test } from 'vitest'
import { labelOf } from '../../../src/cli/report/message-label.ts'
import type { JsonValue } from '../../../src/engine/transcript.ts'

const CASES: readonly (readonly [string, JsonValue, string, string])[] = [
  ['text', { role: 'user', content: 'secret' }, 'user', ''],
  [
    'an Anthropic call',
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'secret' },
        { type: 'tool_use', name: 'Read' },
      ],
    },
    'assistant',
    'tool_use Read',
  ],
  [
    'OpenAI calls',
    {
      role: 'assistant',
      tool_calls: [
        { function: { name: 'a' } },
        { function: { name: 'b' } },
        { function: { name: 'c' } },
      ],
    },
    'assistant',
    'call a, call b, +1',
  ],
  [
    'a Gemini call',
    { role: 'model', parts: [{ functionCall: { name: 'f' } }] },
    'model',
    'function_call f',
  ],
  [
    'a Responses item',
    { type: 'function_call', name: 'f', arguments: 'secret' },
    '',
    'function_call f',
  ],
  [
    'an AI SDK result',
    { role: 'tool', content: [{ type: 'tool-result', toolName: 't', output: 'secret' }] },
    'tool',
    'tool-result t',
  ],
  ['nothing', undefined as unknown as JsonValue, '', ''],
]

test.each(CASES)(
  '%s is named by role, type and tool, never by what it says',
  (_, message, role, holds) => {
    expect(labelOf(message)).toEqual({ role, holds })
  },
)
