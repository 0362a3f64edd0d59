import { setMaxListeners } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Work that goes on until it is stopped, in the background of a test. */
export interface Callers {
  /** Until then, nobody does anything. */
  readonly begin: () => void
  /** Calls `act` again and again, `everyMs` after it began, whatever comes of it. */
  readonly keepDoing: (everyMs: number, act: (round: number) => Promise<unknown>) => void
  /** Announces a large body, sends a byte of it, and holds the connection. */
  readonly holdPlace: (url: string, path: string) => void
  readonly stop: () => Promise<void>
}

export function startCallers(): Callers {
  const stopping = new AbortController()
  const loops: Promise<void>[] = []
  const sockets: (() => void)[] = []
  const { signal } = stopping
  setMaxListeners(0, signal)
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })

  async function loop(everyMs: number, act: (round: number) => Promise<unknown>) {
    await begun
    for (let round = 0; !signal.aborted; round += 1) {
      const pause = sleep(everyMs, undefined, { signal }).catch(() => undefined)
      // What fails is part of the script: the metrics say whether it failed as it should.
      await act(round).catch(() => undefined)
      await pause
    }
  }

  return {
    begin,
    keepDoing: (everyMs, act) => {
      loops.push(loop(everyMs, act))
    },
    holdPlace: (url, path) => {
      const { hostname, port } = new URL(url)
      const socket = connect(Number(port), hostname)
      socket.on('error', () => undefined)
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{`,
      )
      sockets.push(() => socket.destroy())
    },
    stop: async () => {
      stopping.abort()
      begin()
      for (const close of sockets) close()
      await Promise.all(loops)
    },
  }
}
