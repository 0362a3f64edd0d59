import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { PrecisError } from '../engine/errors.ts'
import { lookFirst } from '../http/look-first.ts'

/** A signal that is aborted once a message has come; asking it looks at the port. */
export function callerSignal(port: MessagePort): AbortSignal {
  const controller = new AbortController()
  const abort = (): void => {
    controller.abort(new PrecisError('client-closed-request', 'The caller closed the connection.'))
  }
  port.once('message', abort)
  return lookFirst(controller.signal, () => {
    if (receiveMessageOnPort(port) !== undefined) abort()
  })
}
