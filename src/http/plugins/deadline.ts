import type { FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { PrecisError } from '../../engine/errors.ts'
import { isProxied } from '../route-config.ts'
import { whenClosed } from '../when-closed.ts'

export interface RequestDeadline {
  /** Aborts with a TimeoutError at `at`, or with PrecisError('client-closed-request') before. */
  readonly signal: AbortSignal
  /** On the clock of `performance.now()`, in milliseconds. */
  readonly at: number
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What the work of this request must heed. Made when first asked for. */
    readonly deadline: RequestDeadline
  }
}

export interface DeadlineOptions {
  /** Time from the arrival of a request to its answer. */
  readonly deadlineMs: number
}

/** Largest part of the deadline that is kept back for the stages that need no model, and the answer. */
const MAX_RESERVE_MS = 2_000
const RESERVE_SHARE = 0.2

/** When model calls must end so that an answer still comes within the deadline (P7). */
export function workTimeMs(deadlineMs: number): number {
  return deadlineMs - Math.min(MAX_RESERVE_MS, deadlineMs * RESERVE_SHARE)
}

/**
 * Gives each request its signals, and ends those who do not heed them, except proxied ones: how long a
 * model may talk is not for this service to say. Fastify's own `request.signal`
 * and `handlerTimeout` cannot be used (see `whenClosed`): once a body has been read, the one is aborted
 * and the other's timer cleared. `request.signal` is replaced by what its documentation says.
 */
export const deadline = fastifyPlugin<DeadlineOptions>(
  async (app, { deadlineMs }) => {
    const watches = new WeakMap<FastifyRequest, Watch>()
    app.decorateRequest('deadline', {
      getter(this: FastifyRequest): RequestDeadline {
        const known = watches.get(this)
        if (known === undefined) throw new Error('the deadline is asked for before its hook')
        return known.deadline()
      },
    })
    // Fastify would log as a fault what work comes to that is ended because its request has its answer.
    app.addHook('onRoute', (route) => {
      const { handler } = route
      route.handler = function (request, reply) {
        const result: unknown = handler.call(this, request, reply)
        if (!(result instanceof Promise)) return result
        return result.catch((error) => {
          if (watches.get(request)?.isOver() !== true) throw error
        })
      }
    })
    app.addHook('onRequest', (request, reply, done) => {
      const fresh = watch(reply, deadlineMs, !isProxied(request))
      watches.set(request, fresh)
      Object.defineProperty(request, 'signal', { get: fresh.callerSignal, configurable: true })
      done()
    })
  },
  { name: 'deadline', fastify: '5.x' },
)

interface Watch {
  /** Aborts once nobody waits: the caller has gone away, or was told that the deadline is over. */
  readonly callerSignal: () => AbortSignal
  readonly deadline: () => RequestDeadline
  /** Whether the request was answered that its time is over. */
  readonly isOver: () => boolean
}

/** Signals are made when they are asked for: most requests never do. */
function watch(reply: FastifyReply, deadlineMs: number, isBounded: boolean): Watch {
  const at = performance.now() + workTimeMs(deadlineMs)
  let caller: AbortController | undefined
  let work: AbortController | undefined
  let softTimer: NodeJS.Timeout | undefined
  let gone: PrecisError | undefined
  let late: PrecisError | undefined

  const end = () => {
    if (reply.sent) return
    late = new PrecisError('deadline-exceeded', 'The request took longer than its deadline.')
    void reply.send(late)
  }
  const hardTimer = isBounded ? setTimeout(end, deadlineMs) : undefined

  whenClosed(reply, (answered) => {
    clearTimeout(hardTimer)
    clearTimeout(softTimer)
    if (answered && late === undefined) return
    // It has its answer: what work comes to that does not heed the signal is not to be sent.
    if (answered) reply.hijack()
    gone = late ?? new PrecisError('client-closed-request', 'The caller closed the connection.')
    caller?.abort(gone)
    work?.abort(gone)
  })

  return {
    isOver: () => late !== undefined,
    callerSignal: () => {
      caller ??= startController(gone)
      return caller.signal
    },
    deadline: () => {
      if (work === undefined) {
        const fresh = startController(gone)
        work = fresh
        softTimer = setTimeout(() => {
          fresh.abort(new DOMException('The work ran out of time.', 'TimeoutError'))
        }, at - performance.now())
        if (gone !== undefined) clearTimeout(softTimer)
      }
      return { signal: work.signal, at }
    },
  }
}

function startController(reason: Error | undefined): AbortController {
  const controller = new AbortController()
  if (reason !== undefined) controller.abort(reason)
  return controller
}
