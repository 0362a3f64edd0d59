import { readFile } from 'node:fs/promises'
import type { CompactAnswer as ReportedAnswer } from '../src/cli/report/compact-answer.ts'
import { pathInRepository } from './generated-files.ts'

export const EXAMPLE = 'examples/coding-session.json'

/** What the service answers, as far as the scripts read it. */
export interface CompactAnswer extends ReportedAnswer {
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
