import { readFile } from 'node:fs/promises'
import { pathInRepository } from './generated-files.ts'

export const EXAMPLE = 'examples/coding-session.json'

/** The parts of an answer that the scripts show. */
export interface CompactAnswer {
  readonly outcome: string
  readonly fits: boolean
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly budget: { readonly targetTokens: { readonly value: number } }
  readonly stages: readonly {
    readonly stage: string
    readonly status: string
    readonly reason?: string
    readonly tokensBefore: number
    readonly tokensAfter: number
    readonly dropped: number
    readonly rewritten: number
    readonly durationMs: number
  }[]
  readonly actions: readonly {
    readonly index: number
    readonly stage?: string
    readonly action: string
    readonly reason: string
    readonly probability?: number
    readonly tokensBefore: number
    readonly tokensAfter: number
  }[]
  readonly warnings: readonly { readonly code: string; readonly message: string }[]
  readonly messages: readonly unknown[]
}

export interface Posted {
  readonly status: number
  readonly milliseconds: number
  readonly answer: CompactAnswer
}

/** Posts the bundled example to a running service. */
export async function postExample(url: string): Promise<Posted> {
  const body = await readFile(pathInRepository(EXAMPLE), 'utf8')
  const startedAt = performance.now()
  const response = await fetch(`${url}/compact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const answer = (await response.json()) as CompactAnswer
  return { status: response.status, milliseconds: performance.now() - startedAt, answer }
}
