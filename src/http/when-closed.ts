import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'

/** `answered`: the whole answer was handed over before the end came. */
export type CloseListener = (answered: boolean) => void

const listenersByReply = new WeakMap<FastifyReply, CloseListener[]>()
const openBySocket = new WeakMap<Socket, Set<() => void>>()

/**
 * Calls once, when a request is over: answered, or its connection gone. Neither of the events that lie
 * at hand tells this. The request's `close` (and with it Fastify's `request.signal`, and the timer of
 * its `handlerTimeout`) comes as soon as a body has been read; the response's `close` never comes to a
 * pipelined request whose turn to answer had not come when the caller left.
 */
export function whenClosed(reply: FastifyReply, listener: CloseListener): void {
  const known = listenersByReply.get(reply)
  if (known !== undefined) {
    known.push(listener)
    return
  }
  const listeners = [listener]
  listenersByReply.set(reply, listeners)
  const { raw } = reply
  let answered = false
  raw.once('finish', () => {
    answered = true
  })
  const open = openRequestsOf(reply.request.raw.socket)
  const close = () => {
    if (!open.delete(close)) return
    for (const each of listeners) each(answered)
  }
  open.add(close)
  raw.once('close', close)
}

/** One listener per connection, however many requests it carries. */
function openRequestsOf(socket: Socket): Set<() => void> {
  const known = openBySocket.get(socket)
  if (known !== undefined) return known
  const open = new Set<() => void>()
  openBySocket.set(socket, open)
  socket.once('close', () => {
    for (const close of [...open]) close()
  })
  return open
}
