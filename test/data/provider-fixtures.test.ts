/**
 * Real answers of the providers, spliced into a longer conversation at every position, go through
 * every combination of stages: valid by the oracle, and what only the provider can read unchanged.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dataFolder } from '../../eval/lib/data-folder.ts'
import { compactConversation } from '../../src/conversation/compact-conversation.ts'
import type { CompactRequest } from '../../src/conversation/request.ts'
import { createEmbeddedDecider } from '../../src/decide/embedded/embedded-decider.ts'
import { type OptionOverrides, STAGE_NAMES } from '../../src/engine/options.ts'
import type { JsonObject } from '../../src/engine/transcript.ts'
import { fakeSummarizer } from '../helpers/fake-ports.ts'
import {
  conversationListOf,
  findChanges,
  findFaults,
  newFaults,
  type WireFormat,
} from '../helpers/wire-rules/index.ts'
import { createServices, unhurried } from '../property/support/run-case.ts'

const FOLDER = join(dataFolder() ?? '', 'provider-fixtures')

interface Fixture {
  readonly name: string
  readonly format: WireFormat
  readonly list: 'messages' | 'input'
  /** What the next request would carry: the answer, and results for the calls that it waits for. */
  readonly items: readonly JsonObject[]
}

function readFixtures(): Fixture[] {
  if (!existsSync(FOLDER)) return []
  return readdirSync(FOLDER)
    .filter((name) => /^(?:anthropic|openai_responses)_.*\.json$/.test(name))
    .map((name) => toFixture(name, JSON.parse(readFileSync(join(FOLDER, name), 'utf8'))))
}

function toFixture(name: string, answer: JsonObject): Fixture {
  if (name.startsWith('anthropic_')) {
    const content = answer.content as JsonObject[]
    const results = content
      .filter(({ type }) => type === 'tool_use')
      .map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: FILLER }) as JsonObject)
    const items: JsonObject[] = [{ role: 'assistant', content }]
    if (results.length > 0) items.push({ role: 'user', content: results })
    return { name, format: 'anthropic-messages', list: 'messages', items }
  }
  const output = answer.output as JsonObject[]
  const results = output
    .filter(({ type }) => type === 'function_call')
    .map(({ call_id }) => ({ type: 'function_call_output', call_id, output: FILLER }) as JsonObject)
  const approvals = output
    .filter(({ type }) => type === 'mcp_approval_request')
    .map(({ id }) => {
      return { type: 'mcp_approval_response', approval_request_id: id, approve: true } as JsonObject
    })
  return {
    name,
    format: 'openai-responses',
    list: 'input',
    items: [...output, ...results, ...approvals],
  }
}

const FILLER = 'The build of this module went through without a warning. '.repeat(30)
const TURNS = 7

/** A plain conversation whose turns are numbered, with a tool exchange in every second of them. */
function turn(format: WireFormat, number: number): JsonObject[] {
  const question = { role: 'user', content: `Question ${number}. ${FILLER}` }
  const answer = { role: 'assistant', content: `Answer ${number}. ${FILLER}` }
  if (number % 2 === 1) return [question, answer]
  if (format === 'openai-responses') {
    const call_id = `call_of_${number}`
    return [
      question,
      { type: 'function_call', call_id, name: 'run', arguments: '{}' },
      { type: 'function_call_output', call_id, output: FILLER },
      answer,
    ]
  }
  const id = `toolu_of_${number}`
  return [
    question,
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'run', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: FILLER }] },
    answer,
  ]
}

/** The fixture stands after the question of one turn, in the place of its answer. */
function splice({ format, items }: Fixture, position: number): JsonObject[] {
  return Array.from({ length: TURNS }, (_, number) => {
    if (number !== position) return turn(format, number)
    return [{ role: 'user', content: `Question ${number}. ${FILLER}` }, ...items]
  })
    .flat()
    .concat({ role: 'user', content: 'And what is the next step?' })
}

const COMBINATIONS: readonly OptionOverrides[] = Array.from({ length: 64 }, (_, bits) => ({
  protectRecent: 2,
  ...Object.fromEntries(
    STAGE_NAMES.map((stage, index) => [stage, { enabled: ((bits >> index) & 1) === 1 }]),
  ),
})).map((options) => ({
  ...options,
  prune: {
    ...('prune' in options ? (options.prune as object) : {}),
    protectTokens: 0,
    minimumSavings: 0,
  },
}))

const SERVICES = createServices({
  decide: createEmbeddedDecider(),
  summarize: fakeSummarizer(['1. Primary Request and Intent: build the module.']),
})

const fixtures = readFixtures()

describe.runIf(dataFolder() !== undefined)('a real answer inside a longer conversation', () => {
  test('is there in both formats', () => {
    expect(new Set(fixtures.map(({ format }) => format))).toEqual(
      new Set(['anthropic-messages', 'openai-responses']),
    )
  })

  test.each(fixtures)(
    '$name survives every combination of stages at every position',
    async (fixture) => {
      const { format, list } = fixture
      let changed = 0
      for (let position = 0; position < TURNS; position += 1) {
        const before = { model: MODELS[format], [list]: splice(fixture, position) }
        expect(findFaults(format, before)).toEqual([])
        for (const options of COMBINATIONS) {
          for (const share of [0.7, 0.3]) {
            const { result, after } = await compactTo(share, before, format, options)
            expect(result.brokenRules).toEqual([])
            expect(newFaults(format, before, after)).toEqual([])
            expect(findChanges(format, before, after)).toEqual([])
            if (result.report.outcome !== 'unchanged') changed += 1
            expectUntouched(fixture, conversationListOf(after))
          }
        }
      }
      expect(changed).toBeGreaterThan(TURNS * 64)
    },
  )
})

const MODELS: Partial<Record<WireFormat, string>> = {
  'anthropic-messages': 'claude-opus-4-1',
  'openai-responses': 'gpt-5.1',
}

async function compactTo(
  share: number,
  before: object,
  format: WireFormat,
  options: OptionOverrides,
) {
  const request = { ...before, format, options } as CompactRequest
  const whole = await compactConversation({ ...request, targetTokens: 1e9 }, SERVICES, unhurried())
  const { tokensBefore, floor } = whole.report
  const targetTokens = Math.ceil(floor.tokens + (tokensBefore - floor.tokens) * share)
  const result = await compactConversation({ ...request, targetTokens }, SERVICES, unhurried())
  return { result, after: { ...before, [result.list]: result.conversation } }
}

/** Each item of the answer that is still there is as it came; only client tools' results may change. */
function expectUntouched(fixture: Fixture, returned: readonly unknown[]): void {
  const isResult = (item: JsonObject): boolean =>
    item.role === 'user' || item.type === 'function_call_output'
  const own = new Set<unknown>(fixture.items.filter((item) => !isResult(item)))
  const texts = new Set([...own].map((item) => JSON.stringify(item)))
  for (const item of returned) {
    if (own.has(item)) continue
    // What is no longer the same object must not be a changed copy of one.
    const { id, type } = item as JsonObject
    const isCopy = id !== undefined && [...own].some((one) => (one as JsonObject).id === id)
    if (isCopy && type !== undefined) expect(texts).toContain(JSON.stringify(item))
  }
}
