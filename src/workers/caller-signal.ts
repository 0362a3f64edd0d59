import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { PrecisError } from '../engine/errors.ts'

/**
 * A signal that is aborted once a message has come. The engine looks at `aborted` between its stages
 * and may never let the thread's event loop turn, by which messages are delivered: so looking is
 * asking the port.
 */
export function callerSignal(port: MessagePort): AbortSignal {
  const controller = new AbortController()
  const { signal } = controller
  const abort = (): void => {
    controller.abort(new PrecisError('client-closed-request', 'The caller closed the connection.'))
  }
  port.once('message', abort)
  let asking = false
  const isAborted = Object.getOwnPropertyDescriptor(AbortSignal.prototype, 'aborted')?.get
  Object.defineProperty(signal, 'aborted', {
    configurable: true,
    get: () => {
      if (!asking && receiveMessageOnPort(port) !== undefined) {
        // Aborting looks at `aborted` itself.
        asking = true
        abort()
      }
      return isAborted?.call(signal)
    },
  })
  return signal
}
