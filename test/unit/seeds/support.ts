/** What the behaviour tests of seeds, peers and weaknesses share. */
import {
  type CompactResult,
  compactConversation,
} from '../../../src/conversation/compact-conversation.ts'
import type { CompactRequest } from '../../../src/conversation/request.ts'
import type { ConversationServices } from '../../../src/conversation/services.ts'
import { DEFAULT_LOW_WATER } from '../../../src/conversation/steps/settings.ts'
import { createStepMemo } from '../../../src/conversation/steps/step-memo.ts'
import { type OptionOverrides, STAGE_NAMES, type StageName } from '../../../src/engine/options.ts'
import type { Answer, DecidePort, DecideTraits, SummarizePort } from '../../../src/engine/ports.ts'
import type { StageReport } from '../../../src/engine/report.ts'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { createTokenCounters } from '../../../src/tokens/token-counter.ts'
import { createWindowTable } from '../../../src/tokens/windows.ts'
import { type FakeDecide, fakeDecide } from '../../helpers/fake-ports.ts'

const counters = createTokenCounters({ cacheBytes: 8 << 20 })

/** The counter of a conversation that names no model. */
export const countTokens = counters.forModel(undefined).countTokens

export interface Models {
  readonly decide?: DecidePort | undefined
  readonly summarize?: SummarizePort | undefined
}

export function servicesWith(models: Models = {}): ConversationServices {
  return {
    counters,
    windows: createWindowTable(),
    decide: models.decide,
    summarize: models.summarize,
    defaultProfile: 'neurolink',
    defaultOptions: undefined,
    lowWater: DEFAULT_LOW_WATER,
    stepMemo: createStepMemo(0),
    maxMessages: 200_000,
  }
}

const never = new AbortController().signal

/** Runs a compaction of a NeuroLink conversation, unless the request names another format. */
export function compactWith(request: CompactRequest, models: Models = {}): Promise<CompactResult> {
  return compactConversation({ format: 'neurolink', ...request }, servicesWith(models), {
    signal: never,
    modelSignal: never,
  })
}

export const modelSignal = { modelSignal: never }

/** Gives every message that has no id the id `m<index>`. */
export function conversation(...messages: readonly JsonObject[]): JsonObject[] {
  return messages.map((message, index) => ({ id: `m${index}`, ...message }))
}

export function user(content: string, extra: JsonObject = {}): JsonObject {
  return { role: 'user', content, ...extra }
}

export function assistant(content: string, extra: JsonObject = {}): JsonObject {
  return { role: 'assistant', content, ...extra }
}

export function system(content: string): JsonObject {
  return { role: 'system', content }
}

/** A call and its result, two messages. */
export function toolExchange(
  tool: string,
  args: JsonObject,
  content: string,
  extra: JsonObject = {},
): JsonObject[] {
  return [
    { role: 'tool_call', content: '', tool, args },
    { role: 'tool_result', content, tool, ...extra },
  ]
}

const NOUNS = 'ledger orchard harbour lantern compass meadow copper violin glacier saddle'.split(
  ' ',
)
const VERBS = 'mends counts carries follows measures borrows paints sorts weighs answers'.split(' ')

/** Prose of that many words; texts of different labels share no sentence. */
export function prose(words: number, label: string): string {
  const text: string[] = []
  for (let index = 0; text.length < words; index += 1) {
    const noun = NOUNS[index % NOUNS.length] ?? ''
    const verb = VERBS[(index * 3 + label.length) % VERBS.length] ?? ''
    text.push('the', noun, 'of', label, verb, `item${index}.`)
  }
  return text.slice(0, words).join(' ')
}

/** `count` alternating messages, the user first, of that many words each. */
export function chat(count: number, words = 40): JsonObject[] {
  return Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? user(prose(words, `question${index}`))
      : assistant(prose(words, `reply${index}`)),
  )
}

/** Tokens as NeuroLink frames them: 4 a message, 24 a conversation. For messages of string content. */
export function tokensOf(messages: readonly JsonObject[]): number {
  return messages.reduce((sum, { content }) => sum + 4 + countTokens(String(content)), 24)
}

export function idsOf(messages: readonly unknown[]): unknown[] {
  return messages.map((message) => (message as JsonObject).id)
}

export function textsOf(messages: readonly unknown[]): unknown[] {
  return messages.map((message) => (message as JsonObject).content)
}

export function rolesOf(messages: readonly unknown[]): unknown[] {
  return messages.map((message) => (message as JsonObject).role)
}

export function stageOf(result: Pick<CompactResult, 'report'>, name: StageName): StageReport {
  const stage = result.report.stages.find((report) => report.stage === name)
  if (stage === undefined) throw new Error(`no report of ${name}`)
  return stage
}

/** Options that switch every stage off but these. */
export function only(...names: readonly StageName[]): OptionOverrides {
  return Object.fromEntries(STAGE_NAMES.map((name) => [name, { enabled: names.includes(name) }]))
}

/** Size of a conversation as the service counts it. */
export async function sizeOf(messages: JsonObject[]): Promise<number> {
  const result = await compactWith({ messages, targetTokens: 1_000_000_000 })
  return result.report.tokensBefore
}

/**
 * A decide model for stage 0: P(needed) by message number, and one for all others. An answer that is
 * no number is passed on as it is; `null` leaves the question unanswered.
 */
export function judge(
  otherwise: number,
  byMessage: Readonly<Record<number, number | Answer | null>> = {},
  traits: Partial<DecideTraits> = {},
): FakeDecide {
  return fakeDecide(
    {
      relevance: ({ questions }) => {
        const answers = new Map<string, Answer>()
        for (const { id } of questions) {
          const answer = byMessage[Number(id.replace('msg__', ''))]
          if (answer === null) continue
          answers.set(
            id,
            typeof answer === 'object'
              ? answer
              : { kind: 'boolean', probability: answer ?? otherwise },
          )
        }
        return { answers }
      },
    },
    traits,
  )
}

/** Numbers of the messages that stage 0 asked about. */
export function askedMessages(decide: FakeDecide): number[] {
  return decide.requests.flatMap(({ questions }) =>
    questions.map(({ id }) => Number(id.replace('msg__', ''))),
  )
}

/** Ids of the posted messages that did not come back. */
export function goneIds(messages: readonly JsonObject[], result: CompactResult): unknown[] {
  const left = new Set(idsOf(result.messages))
  return idsOf(messages).filter((id) => !left.has(id))
}
