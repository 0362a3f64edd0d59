import { Agent, request } from 'undici'
import type { PostedConversation } from './conversations.ts'
import { type CompactAnswer, findLosses } from './find-losses.ts'

export interface CompactOutcome {
  /** 200, another status with the problem's code, or what became of the connection. */
  readonly status: string
  readonly ms: number
  /** What the answer's report says that was done without, as `site: reason`. */
  readonly without: readonly string[]
  readonly losses: readonly string[]
  /** The summariser was asked, and its summary is in the answer. */
  readonly isSummarized: boolean
}

export interface CompactClient {
  readonly compact: (posted: PostedConversation) => Promise<CompactOutcome>
  readonly close: () => Promise<void>
}

/** Never rejects; waits for no answer longer than `patienceMs`. */
export function createCompactClient(url: string, patienceMs: number): CompactClient {
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 })
  return {
    compact: async (posted) => {
      const startedAt = performance.now()
      const since = () => performance.now() - startedAt
      try {
        const response = await request(`${url}/compact`, {
          dispatcher,
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: posted.bytes,
          signal: AbortSignal.timeout(patienceMs),
        })
        const text = await response.body.text()
        const ms = since()
        const answer = JSON.parse(text) as CompactAnswer & { readonly code?: string }
        return response.statusCode === 200
          ? { status: '200', ms, ...readAnswer(posted, answer) }
          : broken(`${response.statusCode} ${answer.code ?? ''}`, ms)
      } catch (error) {
        const { name, code } = error as NodeJS.ErrnoException
        return broken(code ?? name, since())
      }
    },
    close: () => dispatcher.destroy(),
  }
}

function broken(status: string, ms: number): CompactOutcome {
  return { status, ms, without: [], losses: [], isSummarized: false }
}

function readAnswer(posted: PostedConversation, answer: CompactAnswer) {
  const { stages, summary } = answer
  const failed = stages.filter(({ status }) => status === 'failed')
  const gate = summary?.gate?.failOpen
  return {
    without: [
      ...failed.map(({ stage, reason }) => `${stage}: ${reason}`),
      ...(gate === undefined ? [] : [`summary-gate: ${gate}`]),
      ...(summary?.accepted === false && !failed.some(({ stage }) => stage === 'summarize')
        ? [`summary refused: ${summary.reason}`]
        : []),
    ],
    losses: findLosses(posted, answer),
    isSummarized: summary?.accepted === true,
  }
}
