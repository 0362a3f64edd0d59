import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../../src/engine/transcript.ts'
import { blockCount, textAt, textSlots } from '../../../src/http/gateways/text-slots.ts'
import { litellmTexts } from '../../helpers/gateway-rules/litellm-guardrail.ts'

const MESSAGES: JsonValue[] = [
  { role: 'system', content: 'rules' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'look' },
      { type: 'image_url', image_url: { url: 'x' } },
      { type: 'text', text: 'here' },
    ],
  },
  { role: 'assistant', content: null, tool_calls: [] },
  { role: 'tool', tool_call_id: 'a', content: '' },
  { role: 'assistant' },
  { role: 'tool', tool_call_id: 'b', content: [] },
  { role: 'user', content: [{ type: 'custom', text: 'also a text' }] },
]

describe('textSlots', () => {
  it('finds the texts that LiteLLM finds, in its order', () => {
    const found = textSlots(MESSAGES).map((slot) => textAt(MESSAGES, slot))
    expect(found).toEqual(['rules', 'look', 'here', '', 'also a text'])
    const { texts } = litellmTexts(MESSAGES as Record<string, unknown>[])
    expect(found).toEqual(texts)
  })

  it('takes whatever is no message for one without texts', () => {
    expect(textSlots([5, null, 'x', [], { content: 5 }])).toEqual([])
  })
})

describe('textAt', () => {
  it('finds nothing where a slot is gone', () => {
    expect(textAt(MESSAGES, { message: 99, block: undefined })).toBeUndefined()
    expect(textAt(MESSAGES, { message: 1, block: undefined })).toBeUndefined()
    expect(textAt(MESSAGES, { message: 1, block: 1 })).toBeUndefined()
    expect(textAt(MESSAGES, { message: 0, block: 0 })).toBeUndefined()
  })
})

describe('blockCount', () => {
  it('is the number of blocks, and undefined for a text', () => {
    expect(MESSAGES.map(blockCount)).toEqual([undefined, 3, undefined, undefined, undefined, 0, 1])
  })
})
