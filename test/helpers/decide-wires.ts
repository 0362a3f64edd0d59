import type { DecideServer } from './decide-servers/decide-server.ts'
import {
  createOpenAiDecisionsServer,
  OPENAI_DECISIONS_KEY,
} from './decide-servers/openai-decisions-server.ts'
import { createSystemOneServer, SYSTEM_ONE_KEY } from './decide-servers/system-one-server.ts'
import type { TestAnswer } from './decide-servers/validation.ts'
import type { SampledFormat } from './sample-conversation.ts'

export const DECIDE_WIRES = ['systemone', 'openai-decisions'] as const
export type RemoteWire = (typeof DECIDE_WIRES)[number]

interface WireSetUp {
  readonly key: string
  /** A conversation format to test the wire with; any would do. */
  readonly format: SampledFormat
  /** `answer` is asked with the id of each question: `msg__<number>`, `preserves`, `scope`, ... */
  readonly start: (answer: (id: string) => TestAnswer) => Promise<DecideServer>
}

/** Both wires behind one face. */
export const WIRES: Readonly<Record<RemoteWire, WireSetUp>> = {
  systemone: {
    key: SYSTEM_ONE_KEY,
    format: 'openai-chat',
    start: (answer) => createSystemOneServer({ answer: ({ id }) => answer(id) }),
  },
  'openai-decisions': {
    key: OPENAI_DECISIONS_KEY,
    format: 'anthropic-messages',
    start: (answer) => createOpenAiDecisionsServer({ answer: ({ name }) => answer(name ?? '') }),
  },
}

/** The variables that point a service at such a server. */
export function decideVariables(
  wire: RemoteWire,
  url: string,
  timeoutMs: number,
): Record<string, string> {
  return {
    PRECIS_DECIDE_WIRE: wire,
    PRECIS_DECIDE_URL: url,
    PRECIS_DECIDE_API_KEY: WIRES[wire].key,
    PRECIS_DECIDE_TIMEOUT_MS: String(timeoutMs),
  }
}
