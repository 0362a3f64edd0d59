/**
 * The encoder in a process of its own. The runtime's `run` is a promise, but holds the thread that
 * calls it until the model is through; and a thread that is ended meanwhile takes its whole process
 * along. Plain JavaScript, because it is started as it is, in the sources and in what is built of them.
 */
import { createRequire } from 'node:module'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'

const [folder = '', model = '', threads = '1'] = process.argv.slice(2)

// It ends with the service: neither before it, while requests are finished, nor after it.
process.on('SIGTERM', () => undefined)
process.on('SIGINT', () => undefined)
process.on('disconnect', () => process.exit(0))
try {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
} catch {
  // Where this is not allowed it competes with the service like any other process.
}

const { runtime, session } = await load().catch((error) => {
  // Why a native part does not load is for whoever installed it; no text of anybody has been seen yet.
  process.send({ failed: String(error?.message ?? error) }, () => process.exit(1))
  return new Promise(() => undefined)
})
const [output] = session.outputNames

async function load() {
  const loaded = createRequire(join(folder, 'package.json'))('onnxruntime-node')
  return {
    runtime: loaded,
    session: await loaded.InferenceSession.create(join(folder, model), {
      intraOpNumThreads: Number(threads),
      interOpNumThreads: 1,
    }),
  }
}

/** One text, because the numbers of all texts of one run are scaled alike. */
async function encode(tokens) {
  const ids = BigInt64Array.from(tokens, (id) => BigInt(id))
  const places = BigInt64Array.from(tokens, (_, place) => BigInt(place))
  const found = await session.run({
    ids: new runtime.Tensor('int64', ids, [1, ids.length]),
    places: new runtime.Tensor('int64', places, [places.length]),
  })
  return Float32Array.from(found[output].data)
}

process.on('message', async ({ number, tokens }) => {
  try {
    process.send({ number, vector: await encode(tokens) })
  } catch {
    // The runtime's own words may hold what it was given.
    process.send?.({ number })
  }
})
process.send({ ready: true })
