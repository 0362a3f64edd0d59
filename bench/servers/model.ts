/**
 * A model that answers at once: it reads the whole request and sends a fixed answer, as a stream of
 * events where the query asks for one.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const EVENTS = 20
const ANSWER = JSON.stringify({
  id: 'answer',
  choices: [{ index: 0, message: { content: 'Done.' } }],
})
const EVENT = `data: ${JSON.stringify({ id: 'answer', choices: [{ index: 0, delta: { content: 'Done. ' } }] })}\n\n`

const server = createServer((request, response) => {
  request.resume().once('end', () => {
    if (!request.url?.includes('stream=1')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER)
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let event = 0; event < EVENTS; event += 1) response.write(EVENT)
    response.end('data: [DONE]\n\n')
  })
})
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))
})
