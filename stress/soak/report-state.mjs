/**
 * Loaded into the service before its own code, in every thread of it. Asked `state`, the main thread collects
 * all garbage, has the others do the same, and answers with what is left.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads'

/** For what dies with a promise or a callback that the first collection has run. */
const COLLECTIONS = 2
const ANSWER_MS = 1_000

const channel = new BroadcastChannel('precis-soak')
channel.unref()

if (isMainThread) {
  process.on('message', (question) => {
    if (question === 'state') void report()
  })
} else {
  channel.onmessage = ({ data }) => {
    if (data !== 'state') return
    void collect().then(() => {
      channel.postMessage({ threadId, heapUsed: process.memoryUsage().heapUsed })
    })
  }
}

async function report() {
  const workers = new Map()
  channel.onmessage = ({ data }) => {
    workers.set(data.threadId, data.heapUsed)
  }
  channel.postMessage('state')
  await collect()
  await sleep(ANSWER_MS)
  const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage()
  const resources = {}
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1
  process.send({ heaps: [heapUsed, ...workers.values()], external, arrayBuffers, rss, resources })
}

async function collect() {
  for (let time = 0; time < COLLECTIONS; time += 1) {
    globalThis.gc()
    await sleep(50)
  }
}
