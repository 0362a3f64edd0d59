/**
 * W19: theirs finds overflows by patterns over one message string: quotas count as overflows, and
 * structured errors as none. Precis meets overflows where it calls models itself; the errors of a
 * caller's provider are the proxy's business, which does not exist yet.
 */
import { describe, expect, it } from 'vitest'
import { classifyErrorEnvelope } from '../../../src/decide/wires/error-envelope.ts'
import { classifyFailure } from '../../../src/summarizer/classify-failure.ts'
import { fakeSummarizer } from '../../helpers/fake-ports.ts'
import { chat, compactWith, conversation } from '../seeds/support.ts'

const openai = (error: object) => ({ error: { message: 'm', ...error } })
const anthropic = (type: string, message: string) => ({ type: 'error', error: { type, message } })

describe('W19: what is no overflow', () => {
  it.each([
    [
      'a quota of Google',
      429,
      { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Resource exhausted: quota.' } },
      'rate-limit',
    ],
    [
      'tokens per minute',
      429,
      openai({
        code: 'rate_limit_exceeded',
        message: 'Too many tokens per minute, reduce the length.',
      }),
      'rate-limit',
    ],
    [
      'a password',
      400,
      openai({ message: 'Please reduce the length of your password.' }),
      'invalid-request',
    ],
    ['a wrong key', 401, openai({ message: 'maximum context length' }), 'authentication'],
    ['a broken server', 500, openai({ message: 'prompt is too long' }), 'server'],
  ])('%s', (_, status, payload, failure) => {
    expect(classifyFailure(status, payload)).toBe(failure)
    expect(classifyErrorEnvelope(status, payload)).toBe(failure)
  })
})

describe('W19: what is an overflow', () => {
  it.each([
    [
      'Anthropic’s, with the output',
      400,
      anthropic(
        'invalid_request_error',
        'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000',
      ),
    ],
    [
      'llama.cpp’s',
      400,
      openai({ message: 'the request exceeds the available context size, try increasing it' }),
    ],
    ['OpenAI’s, by its code alone', 400, openai({ code: 'context_length_exceeded' })],
    [
      'OpenAI’s, in its words',
      400,
      openai({
        message:
          "This model's maximum context length is 128000 tokens. However, you requested 131072.",
      }),
    ],
    [
      'Gemini’s, in a list',
      400,
      [
        openai({
          message: 'The input token count (9) exceeds the maximum number of tokens allowed (8).',
        }),
      ],
    ],
    ['a plain 413', 413, undefined],
  ])('%s', (_, status, payload) => {
    expect(classifyFailure(status, payload)).toBe('max-tokens-exceeded')
  })

  it('of a summariser does not end the run', async () => {
    const summarize = fakeSummarizer([{ ok: false, failure: 'max-tokens-exceeded', latencyMs: 1 }])
    const result = await compactWith(
      { messages: conversation(...chat(60)), targetTokens: 1_500 },
      { summarize },
    )
    expect(result.report.summary).toMatchObject({ accepted: false, reason: 'max-tokens-exceeded' })
    expect(result.report).toMatchObject({ fits: true, stagesUsed: ['truncate'] })
  })
})
