/** The service, as the page asks it. Addresses are relative, so that it works behind any prefix. */
import type { Answer, Problem, ServiceSettings } from './answer.ts'
import { memberRanges } from './json-text.ts'

export interface Compaction {
  readonly answer: Answer
  /** The returned conversation, in the words of the answer. */
  readonly conversationText: string
  /** From sending to the last byte. */
  readonly milliseconds: number
}

/** Throws a Problem; an abort throws the signal's reason. */
export async function postCompact(
  body: string,
  key: string,
  signal: AbortSignal,
): Promise<Compaction> {
  const startedAt = performance.now()
  const response = await send(body, key, signal)
  const text = await response.text()
  const milliseconds = performance.now() - startedAt
  if (!response.ok) throw toProblem(response, text)
  const answer = JSON.parse(text) as Answer
  return { answer, conversationText: conversationText(text, answer), milliseconds }
}

/** Undefined where something else than the service answered. Throws where nothing did. */
export async function fetchSettings(): Promise<ServiceSettings | undefined> {
  const response = await fetch('ui/settings.json')
  return response.ok ? ((await response.json()) as ServiceSettings) : undefined
}

export async function fetchExample(): Promise<string> {
  return (await fetch('ui/example.json')).text()
}

async function send(body: string, key: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch('compact', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key !== '' && { authorization: `Bearer ${key}` }),
      },
      body,
      signal,
    })
  } catch (error) {
    if (signal.aborted) throw error
    throw noAnswer()
  }
}

function toProblem(response: Response, text: string): Problem {
  const retryAfter = response.headers.get('retry-after')
  const status = response.status
  try {
    const problem = JSON.parse(text) as Problem
    const errors = Array.isArray(problem.errors) ? problem.errors : []
    return { ...problem, status, errors, ...(retryAfter !== null && { retryAfter }) }
  } catch {
    const detail = 'The answer is not a problem document; something between may have made it.'
    return { title: 'The service refused', detail, status, errors: [] }
  }
}

function noAnswer(): Problem {
  return {
    title: 'The service did not answer',
    detail: 'It may have stopped, or the network is gone. Nothing was lost here; try again.',
    errors: [],
  }
}

function conversationText(text: string, { messages, input }: Answer): string {
  const list = messages !== undefined ? 'messages' : input !== undefined ? 'input' : 'contents'
  const range = memberRanges(text).get(list)
  return range === undefined ? '[]' : text.slice(range.start, range.end)
}
