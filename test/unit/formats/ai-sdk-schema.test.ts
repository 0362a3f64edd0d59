import {
  generateText,
  MissingToolResultsError,
  type ModelMessage,
  modelMessageSchema,
  pruneMessages,
} from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { describe, expect, it } from 'vitest'
import { compactConversation } from '../../../src/conversation/compact-conversation.ts'
import { STAGE_NAMES, type StageName } from '../../../src/engine/options.ts'
import type { JsonObject, JsonValue } from '../../../src/engine/transcript.ts'
import { aiSdk } from '../../../src/formats/ai-sdk/index.ts'
import { compareChange } from '../../../src/formats/change-rule.ts'
import { fakeDecide, fakeSummarizer, toAnswers } from '../../helpers/fake-ports.ts'
import { servicesWith } from '../seeds/support.ts'
import { fixture, plan } from './support.ts'

const FIXTURE = fixture('ai-sdk/greenhouse.json').messages as JsonObject[]
const ROUNDS = 6

/** Every id of the value with the round in it, so that no round has the ids of another. */
function inRound(value: JsonValue, round: number): JsonValue {
  const text = JSON.stringify(value)
  return JSON.parse(
    text.replace(/("(?:toolCallId|approvalId)":")/g, `$1round-${round}-`),
  ) as JsonValue
}

const instructions = FIXTURE.slice(0, 1)
/** All but the approval that waits: every kind of part that version 6 has. */
const round = (number: number): JsonObject[] =>
  inRound(FIXTURE.slice(1, 11), number) as JsonObject[]
const read = (id: string): JsonObject[] => [
  {
    role: 'assistant',
    content: [
      {
        type: 'reasoning',
        text: 'Once more.',
        providerOptions: { openai: { itemId: `rs_${id}` } },
      },
      { type: 'tool-call', toolCallId: id, toolName: 'read_file', input: { path: 'log.txt' } },
    ],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: id,
        toolName: 'read_file',
        output: { type: 'text', value: 'bay 3 was watered, bay 4 was not. '.repeat(60) },
      },
    ],
  },
]

const history = [
  ...instructions,
  ...Array.from({ length: ROUNDS }, (_, number) => [
    ...round(number),
    ...read(`read-${number}`),
  ]).flat(),
]
const answered = [...history, { role: 'user', content: 'What did you do in bay 3?' }]
const waiting = [...history, ...FIXTURE.slice(11)]

/** All that says no to every message, and writes a summary that nobody objects to. */
const models = () => ({
  decide: fakeDecide({
    relevance: ({ questions }) => ({
      answers: toAnswers(Object.fromEntries(questions.map(({ id }) => [id, 0.02]))),
    }),
    'summary-gate': { preserves: 0.95, is_refusal: 0.02 },
  }),
  summarize: fakeSummarizer(['The tomatoes in bay 3 lack iron; nothing was dosed yet.']),
})

async function compacted(messages: JsonObject[], stages: ReadonlySet<StageName>, target: number) {
  const enabled = (name: StageName) => ({ enabled: stages.has(name) })
  const { signal } = new AbortController()
  return compactConversation(
    {
      format: 'ai-sdk',
      messages,
      system: 'Be brief.',
      targetTokens: target,
      options: {
        protectRecent: 2,
        relevance: { ...enabled('relevance'), toolExchanges: 'drop' },
        prune: { ...enabled('prune'), protectTokens: 50, minimumSavings: 0, media: true },
        deduplicate: enabled('deduplicate'),
        collapse: enabled('collapse'),
        summarize: enabled('summarize'),
        truncate: enabled('truncate'),
      },
    },
    servicesWith(models()),
    { signal, modelSignal: signal },
  )
}

/** What a provider is sent by the SDK for these messages; throws where the SDK refuses them. */
async function promptOf(messages: readonly JsonValue[]) {
  const model = new MockLanguageModelV3({
    supportedUrls: { '*/*': [/.*/] },
    doGenerate: async () => ({
      content: [{ type: 'text', text: 'ok' }],
      finishReason: { unified: 'stop', raw: undefined },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
      },
      warnings: [],
    }),
  })
  const prompt = messages as unknown as ModelMessage[]
  await generateText({ model, messages: prompt, allowSystemInMessages: true })
  return model.doGenerateCalls[0]?.prompt ?? []
}

const refused = (messages: readonly JsonValue[]) =>
  messages.filter((message) => !modelMessageSchema.safeParse(message).success)

const EVERY_COMBINATION: (readonly StageName[])[] = Array.from(
  { length: 2 ** STAGE_NAMES.length },
  (_, bits) => STAGE_NAMES.filter((_, index) => ((bits >> index) & 1) === 1),
)

describe('the AI SDK', () => {
  it('takes the conversations that these tests begin with', async () => {
    expect(refused(answered)).toEqual([])
    expect(refused(waiting)).toEqual([])
    expect(await promptOf(answered)).toHaveLength(answered.length)
  })

  it('refuses what a lost result leaves, so that taking a conversation means something', async () => {
    const lost = answered.filter((_, index) => index !== 3)
    await expect(promptOf(lost)).rejects.toThrow(MissingToolResultsError)
    expect(
      refused([
        { role: 'tool', content: 'x' },
        { role: 'user', content: null },
      ]),
    ).toHaveLength(2)
  })

  it('takes every conversation that any combination of stages makes, and sends all of it', async () => {
    const applied = new Set<string>()
    for (const stages of EVERY_COMBINATION) {
      for (const target of [2_500, 6_000]) {
        const result = await compacted(answered, new Set(stages), target)
        const name = `${stages.join('+')} at ${target}`
        expect(result.brokenRules, name).toEqual([])
        expect(refused(result.messages), name).toEqual([])
        expect(aiSdk.check({ messages: [...result.messages] }), name).toEqual([])
        expect(await promptOf(result.messages), name).toHaveLength(result.messages.length)
        for (const { stage, status } of result.report.stages)
          if (status === 'applied') applied.add(stage)
      }
    }
    expect([...applied].sort()).toEqual([...STAGE_NAMES].sort())
  }, 60_000)

  it('finds the approval that waits in every conversation that any combination makes', async () => {
    for (const stages of EVERY_COMBINATION) {
      const result = await compacted(waiting, new Set(stages), 3_000)
      const name = stages.join('+')
      expect(refused(result.messages), name).toEqual([])
      expect(result.messages.slice(-2), name).toEqual(waiting.slice(-2))
      if (stages.includes('truncate')) expect(result.report, name).toMatchObject({ fits: true })
      expect(aiSdk.check({ messages: [...result.messages] }), name).toEqual([])
    }
  }, 60_000)

  it('would be caught pruning reasoning, or calls before their reasoning, from a message', () => {
    const payload = { messages: answered }
    const prune = (options: Omit<Parameters<typeof pruneMessages>[0], 'messages'>) => {
      const messages = pruneMessages({
        messages: answered as unknown as ModelMessage[],
        emptyMessages: 'keep',
        ...options,
      }) as unknown as JsonValue[]
      const changes = plan({
        replaced: Object.fromEntries(answered.map((_, index) => [index, { 0: 'x' }])),
      })
      return new Set(compareChange(aiSdk, payload, { messages }, changes).map(({ rule }) => rule))
    }
    expect(prune({ reasoning: 'all' })).toContain('reasoning-parted')
    expect(prune({ reasoning: 'before-last-message' })).toContain('reasoning-parted')
    expect(prune({})).toEqual(new Set())
  })
})
