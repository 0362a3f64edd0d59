import type { LlmApi } from '../llm-servers/types.ts'

/** What a client made of an answer. */
export interface ClientAnswer {
  readonly text: string
  /** All that the client hands to its user: parsed bodies, chunks in their order, usage. */
  readonly everything: unknown
}

export interface ToolLoop {
  readonly task: string
  /** Most turns before the client gives up by itself. */
  readonly maxTurns: number
  readonly resultOf: (step: number) => string
}

export interface StreamOptions {
  readonly signal?: AbortSignal
  /** After each chunk that the client gets. */
  readonly onChunk?: () => void
}

export interface ConnectedClient {
  readonly ask: (text: string) => Promise<ClientAnswer>
  readonly stream: (text: string, options?: StreamOptions) => Promise<ClientAnswer>
  /** The client's own tool loop where it has one. `everything` is its last answer. */
  readonly loop: (loop: ToolLoop) => Promise<ClientAnswer>
  readonly loopStreamed: (loop: ToolLoop) => Promise<ClientAnswer>
}

export interface ConnectOptions {
  /** Where the provider's paths begin, without a slash at the end. */
  readonly origin: string
  readonly headers?: Readonly<Record<string, string>>
}

/** An official client, with retries of its own switched off. */
export interface LlmClient {
  readonly name: string
  readonly api: LlmApi
  readonly model: string
  readonly connect: (options: ConnectOptions) => ConnectedClient
}

/** The one tool of every loop, in JSON schema. */
export const READ_TOOL = {
  name: 'read_part',
  description: 'Reads one part of the module.',
  parameters: {
    type: 'object',
    properties: { step: { type: 'integer' }, path: { type: 'string' } },
    required: ['step', 'path'],
    additionalProperties: false,
  },
} as const

export interface ReadInput {
  readonly step: number
  readonly path: string
}
