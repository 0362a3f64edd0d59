/**
 * Complaint 34, opencode #13286, openclaw #97645 and #90108, claude-code #13589: thinking blocks were
 * edited or lost their signatures, and every later request was refused. langchain #34794: the cut
 * fell inside of a thinking turn. pi #9391: the tail that was kept carries signatures over what stood
 * before it.
 */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { prose } from '../seeds/support.ts'
import { DIALECTS, type FieldFormat } from './dialects.ts'
import { expectValid, run, sweep } from './support.ts'

const TURNS = Array.from({ length: 7 }, (_, turn) => turn)
const seal = (label: string): string => Buffer.from(prose(20, label)).toString('base64')

/** Turns that think before their call and before their long report, in the form of each provider. */
const THINKING: Partial<
  Record<FieldFormat, (turn: number) => readonly [call: JsonObject[], report: JsonObject[]]>
> = {
  'anthropic-messages': (turn) => [
    [
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: prose(20, `why${turn}`), signature: seal(`a${turn}`) },
          { type: 'redacted_thinking', data: seal(`b${turn}`) },
          { type: 'tool_use', id: `call_${turn}`, name: 'run', input: { turn } },
        ],
      },
    ],
    [
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: prose(20, `so${turn}`), signature: seal(`c${turn}`) },
          { type: 'text', text: prose(400, `report${turn}`) },
        ],
      },
    ],
  ],
  'openai-chat': (turn) => [
    [
      {
        role: 'assistant',
        content: null,
        reasoning_details: [{ type: 'reasoning.encrypted', data: seal(`a${turn}`) }],
        tool_calls: [
          { id: `call_${turn}`, type: 'function', function: { name: 'run', arguments: '{}' } },
        ],
      },
    ],
    [
      {
        role: 'assistant',
        content: prose(400, `report${turn}`),
        reasoning_details: [{ type: 'reasoning.encrypted', data: seal(`c${turn}`) }],
      },
    ],
  ],
  'openai-responses': (turn) => [
    [
      { type: 'reasoning', id: `rs_a${turn}`, summary: [], encrypted_content: seal(`a${turn}`) },
      { type: 'function_call', call_id: `call_${turn}`, name: 'run', arguments: '{}' },
    ],
    [
      { type: 'reasoning', id: `rs_c${turn}`, summary: [], encrypted_content: seal(`c${turn}`) },
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: prose(400, `report${turn}`) }],
      },
    ],
  ],
  gemini: (turn) => [
    [
      {
        role: 'model',
        parts: [
          {
            functionCall: { id: `call_${turn}`, name: 'run', args: { turn } },
            thoughtSignature: seal(`a${turn}`),
          },
        ],
      },
    ],
    [
      {
        role: 'model',
        parts: [
          { text: prose(400, `report${turn}`) },
          { text: 'Done.', thoughtSignature: seal(`c${turn}`) },
        ],
      },
    ],
  ],
}

/** Ends inside of a turn that thinks: the model waits for nothing but to go on. */
function thinkingSession(format: FieldFormat): JsonObject[] {
  const { user, results } = DIALECTS[format]
  const turnOf = THINKING[format] ?? (() => [[], []] as const)
  return [
    user('The task.'),
    ...TURNS.flatMap((turn) => {
      const [call, report] = turnOf(turn)
      const said = turn === TURNS.length - 1 ? [] : [...report, user(prose(15, `wish${turn}`))]
      return [...call, ...results([`call_${turn}`], 60), ...said]
    }),
  ]
}

const FORMATS_THAT_THINK = Object.keys(THINKING) as FieldFormat[]
const BESIDE: Partial<Record<FieldFormat, JsonObject>> = {
  'anthropic-messages': { thinking: { type: 'enabled', budget_tokens: 2048 } },
}

/** Every sealed text of a message, under the names that the providers give them. */
function sealsOf(value: unknown): string[] {
  return [
    ...JSON.stringify(value).matchAll(
      /"(?:signature|data|encrypted_content|thoughtSignature)":"([^"]+)"/g,
    ),
  ].map(([, sealed]) => sealed ?? '')
}

describe.each(FORMATS_THAT_THINK)('signed thinking, in %s', (format) => {
  const items = thinkingSession(format)
  const beside = BESIDE[format] ?? {}

  it('comes back whole and unedited or goes with its message, wherever the cut falls', async () => {
    const posted = items.map((item) => sealsOf(item).join())
    let rewritten = 0
    await sweep(
      format,
      items,
      (step) => {
        expectValid(format, step, beside)
        for (const message of step.result.messages) {
          const seals = sealsOf(message)
          if (seals.length === 0) continue
          expect(posted).toContain(seals.join())
          if (!items.includes(message as JsonObject)) rewritten += 1
        }
      },
      { beside },
    )
    // Shortened texts stood beside signatures; of the Responses API each of both is an item.
    if (format !== 'openai-responses') expect(rewritten).toBeGreaterThan(0)
  })

  it('stays in the turn that is still going on, with its call', async () => {
    const call = items.findIndex((item) => JSON.stringify(item).includes('"call_6"'))
    const start = format === 'openai-responses' ? call - 1 : call
    await sweep(
      format,
      items,
      ({ result }) => {
        const opening = items.slice(start, call + 1)
        for (const item of opening) expect(result.messages).toContain(item)
      },
      { beside, steps: 3 },
    )
  })
})

describe('thinking that is bound to what stood before it', () => {
  const items = thinkingSession('anthropic-messages')
  const warningsOf = async (request: object) =>
    (
      await run('anthropic-messages', items, { targetTokens: 1_500, ...request })
    ).result.report.warnings.map(({ code }) => code)

  it('is told of, for models that check it', async () => {
    expect(await warningsOf({ model: 'claude-opus-5-5' })).toContain('thinking-bound-to-prefix')
    expect(await warningsOf({ model: 'claude-opus-4-5' })).not.toContain('thinking-bound-to-prefix')
  })
})
