import { RERANK_DIALECTS } from '../../../src/decide/wires/rerank-dialects.ts'
import {
  CHAT_LOGPROBS_KEY,
  CHAT_LOGPROBS_MODEL,
  createChatLogprobsServer,
} from './chat-logprobs-server.ts'
import type { DecideServer } from './decide-server.ts'
import {
  createGenerativeScoringServer,
  GENERATIVE_SCORING_KEY,
  GENERATIVE_SCORING_MODEL,
  LABEL_TOKEN_IDS,
} from './generative-scoring-server.ts'
import { createOpenAiDecisionsServer, OPENAI_DECISIONS_KEY } from './openai-decisions-server.ts'
import { createOpenRouterServer, OPENROUTER_KEY } from './openrouter-server.ts'
import { createRerankServer, RERANK_KEY, RERANK_MODEL } from './rerank-server.ts'
import { createSystemOneServer, SYSTEM_ONE_KEY } from './system-one-server.ts'
import { createVercelServer, VERCEL_KEY } from './vercel-server.ts'

/** P(needed) of a message: most servers learn its id, a reranker its text alone. */
export interface ScriptedNeeds {
  readonly ofId: (id: string) => number
  readonly ofText: (text: string) => number
}

export interface WireCase {
  readonly start: (needs: ScriptedNeeds) => Promise<DecideServer>
  /** Of a service that uses such a server, but for its URL. */
  readonly variables: Readonly<Record<string, string>>
}

const idIn = (prompt: string) => /need message (msg__\d+) to/.exec(prompt)?.[1] ?? ''

const wireCase = (
  wire: string,
  key: string,
  start: WireCase['start'],
  more: Readonly<Record<string, string>> = {},
): [string, WireCase] => [
  [wire, more.PRECIS_DECIDE_DIALECT].filter(Boolean).join(' of '),
  { start, variables: { PRECIS_DECIDE_WIRE: wire, PRECIS_DECIDE_API_KEY: key, ...more } },
]

/** Wires that judge in many small requests. */
export const SMALL_REQUEST_CASES: readonly [string, WireCase][] = [
  wireCase(
    'generative-scoring',
    GENERATIVE_SCORING_KEY,
    ({ ofId }) => createGenerativeScoringServer({ answer: (prompt) => ofId(idIn(prompt)) }),
    {
      PRECIS_DECIDE_MODEL: GENERATIVE_SCORING_MODEL,
      PRECIS_DECIDE_LABEL_TOKEN_IDS: `${LABEL_TOKEN_IDS.yes},${LABEL_TOKEN_IDS.no}`,
    },
  ),
  wireCase(
    'chat-logprobs',
    CHAT_LOGPROBS_KEY,
    ({ ofId }) => createChatLogprobsServer({ answer: (prompt) => ofId(idIn(prompt)) }),
    { PRECIS_DECIDE_MODEL: CHAT_LOGPROBS_MODEL },
  ),
  ...RERANK_DIALECTS.map((dialect) =>
    wireCase(
      'rerank',
      RERANK_KEY,
      ({ ofText }) => createRerankServer({ dialect, answer: ofText }),
      { PRECIS_DECIDE_MODEL: RERANK_MODEL, PRECIS_DECIDE_DIALECT: dialect },
    ),
  ),
]

/** Every wire over HTTP, and every dialect of it. */
export const WIRE_CASES: readonly [string, WireCase][] = [
  wireCase('systemone', SYSTEM_ONE_KEY, ({ ofId }) =>
    createSystemOneServer({ answer: ({ id }) => ofId(id) }),
  ),
  wireCase('openai-decisions', OPENAI_DECISIONS_KEY, ({ ofId }) =>
    createOpenAiDecisionsServer({ answer: ({ name }) => ofId(name ?? '') }),
  ),
  wireCase('vercel', VERCEL_KEY, ({ ofId }) =>
    createVercelServer({ answer: ({ id }) => ofId(id) }),
  ),
  wireCase('openrouter', OPENROUTER_KEY, ({ ofId }) =>
    createOpenRouterServer({ answer: ({ id }) => ofId(id) }),
  ),
  ...SMALL_REQUEST_CASES,
]
