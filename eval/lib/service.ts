/** The real service on a free port of this machine, with its defaults but for what is given. */
import { buildApp } from '../../src/app.ts'
import { createAppServices } from '../../src/app-services.ts'
import { loadConfig } from '../../src/config.ts'
import { OptionsSchema } from '../../src/contract/options.ts'
import type { OptionOverrides, ProfileName } from '../../src/engine/options.ts'
import type { SummarizePort } from '../../src/engine/ports.ts'
import type {
  Action,
  RelevanceReport,
  StageReport,
  SummaryReport,
} from '../../src/engine/report.ts'
import type { JsonObject, JsonValue } from '../../src/engine/transcript.ts'

export interface CompactBody {
  readonly messages: readonly JsonValue[]
  readonly model?: string
  readonly format?: string
  readonly currentRequest?: string
  readonly targetTokens?: number
  readonly profile?: ProfileName
  readonly options?: OptionOverrides
  readonly dryRun?: boolean
}

export interface CompactAnswer {
  readonly outcome: string
  readonly fits: boolean
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly stagesUsed: readonly string[]
  readonly stages: readonly StageReport[]
  readonly actions: readonly Action[]
  readonly relevance?: RelevanceReport
  readonly summary?: SummaryReport
  readonly messages: readonly JsonValue[]
}

export interface Service {
  /** Throws where the answer is not 200. */
  readonly compact: (body: CompactBody) => Promise<CompactAnswer>
  readonly close: () => Promise<void>
}

const ENVIRONMENT = {
  PRECIS_LOG_LEVEL: 'silent',
  // The client of these measurements lives in the same process and keeps its event loop busy.
  PRECIS_MAX_EVENT_LOOP_DELAY_MS: '0',
  PRECIS_REQUEST_DEADLINE_MS: '600000',
}

export async function startService(
  environment: Readonly<Record<string, string>>,
  summarize?: SummarizePort,
): Promise<Service> {
  const { config } = loadConfig({ ...ENVIRONMENT, ...environment }, OptionsSchema)
  const services = createAppServices(config)
  const conversation =
    summarize === undefined ? services.conversation : { ...services.conversation, summarize }
  const app = await buildApp({ config, services: { ...services, conversation } })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    compact: async (body) => {
      const response = await fetch(`${origin}/compact`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const answer = (await response.json()) as JsonObject
      if (response.status !== 200) {
        throw new Error(`POST /compact answered ${response.status}: ${JSON.stringify(answer)}`)
      }
      assertJudged(answer as unknown as CompactAnswer)
      return answer as unknown as CompactAnswer
    },
    close: async () => {
      await app.close()
      await services.conversation.close()
    },
  }
}

/**
 * Throws where a stage broke or the decide model could not be had. The service goes on without them, as it
 * should; a measurement of them would show what the rest does and call it theirs. A model that has no
 * opinion has answered.
 */
export function assertJudged({
  stages,
  relevance,
}: Pick<CompactAnswer, 'stages' | 'relevance'>): void {
  const broken = stages
    .filter(({ status, reason }) => status === 'failed' && reason !== 'unanswered')
    .map(({ stage }) => stage)
  if (broken.length > 0) throw new Error(`stages failed: ${broken.join(', ')}`)
  const failOpen = relevance?.failOpen
  if (failOpen !== undefined && failOpen !== 'unanswered') {
    throw new Error(`the decide model could not be had: ${failOpen}`)
  }
}

/** Tokens of the conversation as the service counts them. */
export async function countWith(service: Service, body: CompactBody): Promise<number> {
  const { tokensBefore } = await service.compact({
    ...body,
    dryRun: true,
    targetTokens: 1_000_000_000,
  })
  return tokensBefore
}

/** Numbers of the messages that came back as they were posted. Throws where the report does not add up. */
export function untouched(body: CompactBody, answer: CompactAnswer): ReadonlySet<number> {
  const kept = new Set(body.messages.keys())
  let inserted = 0
  let dropped = 0
  for (const { action, index } of answer.actions) {
    if (action === 'inserted') inserted += 1
    if (action === 'dropped') dropped += 1
    if (action === 'dropped' || action === 'rewritten') kept.delete(index)
  }
  if (answer.messages.length !== body.messages.length - dropped + inserted) {
    throw new Error('the actions do not add up to the messages that came back')
  }
  return kept
}
