import type { RequestRunner } from './run-request.ts'
import type { FuzzRequest, JsonRecord, SentRequest } from './types.ts'

/** Requests that one finding is worth. */
const MAX_TRIES = 300
const SHOWN_CHARACTERS = 2_000

/**
 * Takes members and items out of the body, large parts first, for as long as the request still has the
 * finding. Gives the smallest body; undefined where it is no JSON, or the finding does not come again.
 */
export async function shrinkRequest(
  request: FuzzRequest,
  check: string,
  runner: RequestRunner,
): Promise<string | undefined> {
  if ('steps' in request || request.body === undefined) return undefined
  const body = parse(request.body)
  if (typeof body !== 'object' || body === null) return undefined
  let tries = 0
  const stillFails = async (value: unknown): Promise<boolean> => {
    tries += 1
    const smaller: SentRequest = { ...request, body: Buffer.from(JSON.stringify(value)) }
    const { findings } = await runner.run(smaller)
    return findings.some((finding) => finding.check === check)
  }
  if (!(await stillFails(body))) return undefined

  let smallest: unknown = body
  let shrank = true
  while (shrank && tries < MAX_TRIES) {
    shrank = false
    for (const candidate of candidatesOf(smallest)) {
      if (tries >= MAX_TRIES) break
      if (!(await stillFails(candidate))) continue
      smallest = candidate
      shrank = true
      break
    }
  }
  const text = JSON.stringify(smallest)
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)} ...` : text
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** The value with one part less: halves of lists, then single items and members, then those below. */
function* candidatesOf(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    const half = value.length >> 1
    if (half > 1) {
      yield value.slice(half)
      yield value.slice(0, half)
    }
    for (let index = 0; index < value.length; index += 1) yield value.toSpliced(index, 1)
    for (const [index, item] of value.entries()) {
      for (const smaller of candidatesOf(item)) yield value.with(index, smaller)
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value)) {
      const { [key]: _gone, ...rest } = value as JsonRecord
      yield rest
    }
    for (const [key, member] of Object.entries(value)) {
      for (const smaller of candidatesOf(member)) yield { ...value, [key]: smaller }
    }
  } else if (typeof value === 'string' && value.length > 8) {
    yield value.slice(0, value.length >> 1)
  }
}
