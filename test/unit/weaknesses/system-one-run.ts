import { afterEach } from 'vitest'
import { createRemoteDecider } from '../../../src/decide/decider.ts'
import { systemOneWire } from '../../../src/decide/wires/systemone.ts'
import type { DecidePort } from '../../../src/engine/ports.ts'
import type { CountTokens } from '../../../src/engine/transcript.ts'
import type { DecideServer } from '../../helpers/decide-servers/decide-server.ts'
import {
  createSystemOneServer,
  SYSTEM_ONE_KEY,
  type SystemOneServerOptions,
} from '../../helpers/decide-servers/system-one-server.ts'
import { countTokens } from '../seeds/support.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

export interface SentText {
  readonly role: string
  readonly text: string
}

export interface SentRequest {
  readonly text: string
  readonly questions: Readonly<Record<string, { readonly instructions: string }>>
  readonly state: {
    readonly current_request?: string
    readonly summary?: string
    readonly recent_messages?: Readonly<Record<string, SentText>>
    readonly messages?: Readonly<Record<string, SentText>>
  }
}

export interface SystemOneRun {
  readonly server: DecideServer
  readonly decide: DecidePort
  readonly sent: () => SentRequest[]
}

/** A test server with the limits of the real one, and the client that speaks to it; closed after the test. */
export async function systemOneRun(
  options: SystemOneServerOptions = {},
  counter: CountTokens = countTokens,
): Promise<SystemOneRun> {
  const server = await createSystemOneServer({ answer: () => 0.9, ...options })
  const decide = createRemoteDecider({
    wire: systemOneWire,
    url: server.url,
    apiKey: SYSTEM_ONE_KEY,
    model: 'jev-latest',
    countTokens: counter,
    random: () => 0,
  })
  closers.push(server.close, decide.close)
  return {
    server,
    decide,
    sent: () =>
      server.requests.map(({ json, text }) => ({ ...(json as Omit<SentRequest, 'text'>), text })),
  }
}
