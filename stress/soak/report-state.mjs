/**
 * Loaded into the service before its own code, in every thread of it. Asked `state`, the main thread collects
 * all garbage, has the others do the same, and answers with what is left.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads'

/** For what dies with a promise or a callback that the first collection has run. */
const COLLECTIONS = 2
/** On a busy machine; one that does not answer by then has ended. */
const ANSWER_MS = 30_000
const LOOK_EVERY_MS = 20

const channel = new BroadcastChannel('precis-soak')
channel.unref()

if (isMainThread) {
  /** What each thread has left, by its id; undefined where it has not answered. */
  const heaps = new Map()
  channel.onmessage = ({ data }) => {
    if (data !== 'state') heaps.set(data.threadId, data.heapUsed)
  }
  process.on('message', (question) => {
    if (question === 'state') void report(heaps)
  })
} else {
  channel.onmessage = ({ data }) => {
    if (data !== 'state') return
    void collect().then(() => {
      channel.postMessage({ threadId, heapUsed: process.memoryUsage().heapUsed })
    })
  }
  channel.postMessage({ threadId })
}

async function report(heaps) {
  const silent = () => [...heaps.keys()].filter((id) => heaps.get(id) === undefined)
  for (const id of heaps.keys()) heaps.set(id, undefined)
  channel.postMessage('state')
  const giveUpAt = performance.now() + ANSWER_MS
  while (silent().length > 0 && performance.now() < giveUpAt) await sleep(LOOK_EVERY_MS)
  for (const id of silent()) heaps.delete(id)
  await collect()
  const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage()
  const resources = {}
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1
  process.send({ heaps: [heapUsed, ...heaps.values()], external, arrayBuffers, rss, resources })
}

async function collect() {
  for (let time = 0; time < COLLECTIONS; time += 1) {
    globalThis.gc()
    await sleep(50)
  }
}
