/**
 * Complaint 27, shotgun #458: only texts were counted. The framing of messages, the schemas of tools
 * and the attached files were not, and so compaction never fired.
 */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { FORMATS } from '../../../src/formats/index.ts'
import { chat, prose, servicesWith } from '../seeds/support.ts'
import { DIALECTS, FIELD_FORMATS, session } from './dialects.ts'
import { run } from './support.ts'

const MODEL = 'gpt-4o'
const counter = servicesWith().counters.forModel(MODEL)

const schema: JsonObject = {
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [
      `field_${index}`,
      { type: 'string', description: prose(12, `field${index}`) },
    ]),
  ),
}

/** The same tools as each API defines them. */
const TOOLS: Readonly<Record<keyof typeof DIALECTS, JsonObject[]>> = {
  'openai-chat': [{ type: 'function', function: { name: 'run', parameters: schema } }],
  'anthropic-messages': [{ name: 'run', input_schema: schema }],
  'openai-responses': [{ type: 'function', name: 'run', parameters: schema }],
  gemini: [{ functionDeclarations: [{ name: 'run', parameters: schema }] }],
  'ai-sdk': [{ type: 'function', name: 'run', inputSchema: schema }],
}

describe.each(FIELD_FORMATS)('what is sent beside texts, in %s', (format) => {
  const items = session(format, 6)
  const size = async (request: object) =>
    (await run(format, items, { model: MODEL, targetTokens: 1e9, ...request })).result.report
      .tokensBefore

  it('counts with the schemas of its tools, and fires for them', async () => {
    const bare = await size({})
    const tools = TOOLS[format]
    const tokens = counter.countTokens(JSON.stringify(tools))
    const withTools = await size({ tools })
    expect(withTools - bare).toBeGreaterThan(tokens * 0.9)
    const targetTokens = Math.ceil((bare + withTools) / 2)
    const outcome = async (request: object) =>
      (await run(format, items, { model: MODEL, targetTokens, ...request })).result.report.outcome
    expect(await outcome({})).toBe('unchanged')
    expect(await outcome({ tools })).not.toBe('unchanged')
  })

  it('counts with the files that will ride beside it, and fires for them', async () => {
    const contextWindow = Math.ceil((await size({})) / 0.7)
    const files = [{ name: 'notes.md', text: prose(400, 'notes') }]
    const outcome = async (request: object) =>
      (await run(format, items, { model: MODEL, contextWindow, maxOutputTokens: 1, ...request }))
        .result.report.outcome
    expect(await outcome({})).toBe('unchanged')
    expect(await outcome({ files })).not.toBe('unchanged')
  })

  it('counts with what the provider puts around each message', async () => {
    const { user, says } = DIALECTS[format]
    const short = chat(400, 1).flatMap(({ role }) => (role === 'user' ? [user('go')] : says('ok')))
    const report = (await run(format, short, { model: MODEL, targetTokens: 1e9 })).result.report
    const texts = counter.countTokens('go') * 200 + counter.countTokens('ok') * 200
    expect(report.tokensBefore).toBeGreaterThanOrEqual(texts + 400 * 3)
    const tight = await run(format, short, { model: MODEL, targetTokens: texts + 400 })
    expect(tight.result.report.outcome).toBe('compacted')
    expect(FORMATS[format].check({ [DIALECTS[format].list]: [...tight.result.messages] })).toEqual(
      [],
    )
  })
})
