/**
 * The same signal, which has `look` called whenever anybody asks whether it is aborted: what would abort
 * it may be heard of only when the event loop turns, and work that looks at a signal between its
 * stages may never let it.
 */
export function lookFirst(signal: AbortSignal, look: () => void): AbortSignal {
  const isAborted = Object.getOwnPropertyDescriptor(AbortSignal.prototype, 'aborted')?.get
  let looking = false
  Object.defineProperty(signal, 'aborted', {
    configurable: true,
    get: () => {
      if (!looking && isAborted?.call(signal) !== true) {
        // Aborting looks at `aborted` itself.
        looking = true
        look()
        looking = false
      }
      return isAborted?.call(signal)
    },
  })
  return signal
}
