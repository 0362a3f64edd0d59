/** Finds the call that a response answers, in an API in which ids are optional. */

export interface CallKey {
  /** Unique: the id itself the first time, a numbered one where it is used again. */
  readonly key: string
  readonly isUsedAgain: boolean
}

export interface CallBook {
  readonly addCall: (content: number, name: string, id: string | undefined) => CallKey
  /** The key of the call that is answered; a key that no call has where there is none. */
  readonly answer: (name: string, id: string | undefined) => string
}

interface Call {
  readonly key: string
  isAnswered: boolean
}

/** Calls of one content, of which those before `next` are answered. */
interface Batch {
  readonly content: number
  readonly calls: Call[]
  next: number
}

interface Pool {
  /** With calls that may be open, the latest last. */
  readonly batches: Batch[]
  latest: Call
}

/** What is known of one id. */
interface Calls {
  /** No numbered name below this is free, so that a search never starts again. */
  nextNumber: number
  latest: Call
  /** Calls that may be open, the latest last. */
  readonly open: Call[]
}

/**
 * By id where a call has the response's id: the nearest before that is open. Else by name, in order:
 * the first open call of the nearest content before. A response without an id may answer any call;
 * one whose id no call has answers calls without an id, for clients make up ids for calls that came
 * without one (Gemini CLI). Linear: a call is passed over once.
 */
export function createCallBook(): CallBook {
  const byId = new Map<string, Calls>()
  const byName = new Map<string, Pool>()
  const nameless = new Map<string, Pool>()
  const keys = new Set<string>()

  /** A name belongs to one base and one number, and numbers only go up. */
  const makeKey = (base: string, firstNumber: number): { key: string; nextNumber: number } => {
    let number = firstNumber
    let key = number === 1 ? base : `${base}#${number}`
    while (keys.has(key)) {
      number += 1
      key = `${base}#${number}`
    }
    keys.add(key)
    return { key, nextNumber: number + 1 }
  }

  const addById = (id: string): { call: Call; isUsedAgain: boolean } => {
    const known = byId.get(id)
    const { key, nextNumber } = makeKey(id, known?.nextNumber ?? 1)
    const call = { key, isAnswered: false }
    if (known === undefined) byId.set(id, { nextNumber, latest: call, open: [call] })
    else {
      known.nextNumber = nextNumber
      known.latest = call
      known.open.push(call)
    }
    return { call, isUsedAgain: known !== undefined }
  }

  const answerById = (id: string): string | undefined => {
    const known = byId.get(id)
    while (known?.open.at(-1)?.isAnswered === true) known.open.pop()
    const call = known?.open.pop()
    if (call !== undefined) call.isAnswered = true
    return call?.key ?? known?.latest.key
  }

  return {
    addCall: (content, name, id) => {
      if (id === undefined) {
        const { key } = makeKey(`function:${name}:${keys.size + 1}`, 1)
        const call = { key, isAnswered: false }
        for (const pools of [byName, nameless]) addTo(pools, name, content, call)
        return { key, isUsedAgain: false }
      }
      const { call, isUsedAgain } = addById(id)
      addTo(byName, name, content, call)
      return { key: call.key, isUsedAgain }
    },
    answer: (name, id) => {
      if (id === undefined) return takeFrom(byName.get(name)) ?? `function:${name}`
      return answerById(id) ?? takeFrom(nameless.get(name)) ?? id
    },
  }
}

function addTo(pools: Map<string, Pool>, name: string, content: number, call: Call): void {
  const pool = pools.get(name)
  if (pool === undefined) {
    pools.set(name, { batches: [{ content, calls: [call], next: 0 }], latest: call })
    return
  }
  pool.latest = call
  const batch = pool.batches.at(-1)
  if (batch?.content === content) batch.calls.push(call)
  else pool.batches.push({ content, calls: [call], next: 0 })
}

/** The latest call where none is open: it is then answered twice. */
function takeFrom(pool: Pool | undefined): string | undefined {
  if (pool === undefined) return undefined
  const { batches } = pool
  for (let batch = batches.at(-1); batch !== undefined; batch = batches.at(-1)) {
    while (batch.calls[batch.next]?.isAnswered === true) batch.next += 1
    const call = batch.calls[batch.next]
    if (call !== undefined) {
      call.isAnswered = true
      return call.key
    }
    batches.pop()
  }
  return pool.latest.key
}
