/**
 * The compiled service once per process of a cluster, behind one port that they share: what a deployment
 * with `node:cluster` would be. Only to be measured: each process counts and limits for itself.
 *
 * CLUSTER_FILE is the compiled server, CLUSTER_PROCESSES how many of it there are.
 */
import cluster from 'node:cluster'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

const { CLUSTER_FILE = '', CLUSTER_PROCESSES = '2' } = process.env

// What the parent has loaded into this process is about this process.
cluster.setupPrimary({ exec: CLUSTER_FILE, execArgv: [], silent: true })
const workers = Array.from({ length: Number(CLUSTER_PROCESSES) }, () => cluster.fork())
const addresses = await Promise.all(
  workers.map(async (worker) => {
    worker.process.stdout?.resume()
    worker.process.stderr?.pipe(process.stderr)
    // A worker that ends before it listens is not waited for.
    worker.once('exit', (code) => process.exit(code || 1))
    const [address] = (await once(worker, 'listening')) as [AddressInfo]
    return address
  }),
)
console.log(JSON.stringify({ url: `http://127.0.0.1:${addresses[0]?.port}` }))
