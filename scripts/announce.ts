/** Waits until the service takes work, then prints how to try it. Runs beside `npm start`, its parent. */
import { setTimeout as sleep } from 'node:timers/promises'
import { EXAMPLE } from './example-request.ts'

const WAIT_MS = 60_000

const host = process.env.PRECIS_HOST || '127.0.0.1'
const port = process.env.PRECIS_PORT || '8080'
const url = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`

const parent = process.ppid
const until = Date.now() + WAIT_MS
// Port 0 takes a free one, which only the log names.
if (port === '0') process.exit(0)
while (!(await isReady())) {
  if (Date.now() > until || process.ppid !== parent) process.exit(1)
  await sleep(100)
}
const inspector =
  process.env.PRECIS_UI === 'off'
    ? ''
    : `
Or look at it: the inspector is at ${url}/ui
`
console.log(`
Precis is ready at ${url}. Try it from this folder, in another terminal:

  curl -sS ${url}/compact -H 'content-type: application/json' \\
    -d @${EXAMPLE} -o /tmp/compacted.json
  head -c 700 /tmp/compacted.json
${inspector}
Stop it with Ctrl-C.
`)

async function isReady(): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).status === 200
  } catch {
    return false
  }
}
