/** The same conversation is judged alike, however its format parts reasoning, calls and text. */
import { describe, expect, it } from 'vitest'
import { collectCandidates } from '../../../../src/engine/stages/relevance-candidates.ts'
import type { JsonObject } from '../../../../src/engine/transcript.ts'
import { FORMATS } from '../../../../src/formats/index.ts'
import { createReadContext } from '../../../../src/formats/read-context.ts'
import { countByLength } from '../../../helpers/transcript-builder.ts'
import { stageInput } from '../stage-input.ts'

const reasoning = (id: string) => ({
  type: 'reasoning',
  id,
  summary: [],
  encrypted_content: 'AAAA',
})
const said = (role: 'user' | 'assistant', text: string) => ({
  type: 'message',
  role,
  content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
})
const call = (id: string) => ({
  type: 'function_call',
  call_id: id,
  name: 'run_tests',
  arguments: '{"all":true}',
})

const RESPONSES = {
  input: [
    said('user', 'The task.'),
    reasoning('rs_1'),
    said('assistant', 'A plain answer.'),
    said('user', 'A question.'),
    reasoning('rs_2'),
    call('c1'),
    { type: 'function_call_output', call_id: 'c1', output: 'evidence' },
    reasoning('rs_3'),
    said('assistant', 'The claim.'),
    said('user', 'The request.'),
  ],
}

const CHAT = {
  messages: [
    { role: 'user', content: 'The task.' },
    { role: 'assistant', content: 'A plain answer.' },
    { role: 'user', content: 'A question.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: 'c1',
          type: 'function',
          function: { name: 'run_tests', arguments: '{"all":true}' },
        },
      ],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'evidence' },
    { role: 'assistant', content: 'The claim.' },
    { role: 'user', content: 'The request.' },
  ],
}

function judged(
  format: 'openai-responses' | 'openai-chat',
  payload: JsonObject,
  toolExchanges: 'keep' | 'clear' | 'drop',
) {
  const adapter = FORMATS[format]
  const transcript = adapter.read(payload, createReadContext(adapter, countByLength, 'gpt-4o'))
  const input = stageInput(transcript, { target: 1, options: { relevance: { toolExchanges } } })
  return collectCandidates(input).map(({ document, exchange }) => ({
    role: document.role,
    text: document.text,
    mayDrop: exchange?.mayDrop,
  }))
}

describe('collectCandidates of real formats', () => {
  it.each(['keep', 'clear', 'drop'] as const)(
    'judges answers with reasoning items as answers without, with exchanges to %s',
    (toolExchanges) => {
      const chat = judged('openai-chat', CHAT, toolExchanges)
      expect(judged('openai-responses', RESPONSES, toolExchanges)).toEqual(chat)
      expect(chat.map(({ text }) => text)).toContain('A plain answer.')
    },
  )

  it('judges evidence and claim as one where both may go', () => {
    const texts = judged('openai-responses', RESPONSES, 'drop').map(({ text }) => text)
    expect(texts).toEqual([
      'A plain answer.',
      'A question.',
      'run_tests({"all":true})\nevidence\nThe claim.',
    ])
  })
})
