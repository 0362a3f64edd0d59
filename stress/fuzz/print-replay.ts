import { Agent } from 'undici'
import { sendRaw } from './send-raw.ts'
import { sendRequest } from './send-request.ts'
import type { FuzzTarget } from './start-target.ts'
import type { Answer, FuzzRequest } from './types.ts'

const SHOWN_CHARACTERS = 4_000
const LIMIT_MS = 30_000

/** Shows a request and what is answered to it, for whoever looks for the cause of a finding. */
export async function printReplay(request: FuzzRequest, { service }: FuzzTarget): Promise<void> {
  if ('steps' in request) {
    const { steps, ...rest } = request
    console.log(rest)
    for (const step of steps) console.log('write' in step ? cut(step.write) : step)
    const {
      answers,
      rest: bytes,
      fault,
      end,
    } = await sendRaw(new URL(service.url), request, LIMIT_MS)
    console.log({ end, fault, rest: cut(bytes) })
    for (const answer of answers) printAnswer(answer)
    return
  }
  const { body, ...rest } = request
  console.log(rest)
  console.log(cut(body ?? Buffer.alloc(0)))
  const dispatcher = new Agent()
  const outcome = await sendRequest(dispatcher, service.url, request)
  await dispatcher.close()
  if ('failure' in outcome) console.log(outcome)
  else printAnswer(outcome.answer)
  console.log(service.logText())
}

function printAnswer({ status, headers, body }: Answer): void {
  console.log(status, headers)
  console.log(cut(body))
}

function cut(bytes: Buffer): string {
  const text = bytes.toString()
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)} ...` : text
}
