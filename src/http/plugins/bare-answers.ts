import fastifyPlugin from 'fastify-plugin'
import { PrecisError } from '../../engine/errors.ts'

/**
 * Takes over from Node.js what it would answer by itself with a bare status: 417 for an expectation
 * other than `100-continue`, which RFC 9110 (section 10.1.1) leaves to the server and which is passed
 * over here, and 400 for a request of HTTP/1.1 without a host (RFC 9112, section 3.2). The second
 * needs a server that is made with `requireHostHeader: false`.
 */
export const bareAnswers = fastifyPlugin(
  async (app) => {
    app.server.on('checkExpectation', (request, response) => {
      app.server.emit('request', request, response)
    })
    app.addHook('onRequest', async ({ raw }) => {
      if (raw.httpVersion === '1.1' && raw.headers.host === undefined) {
        throw new PrecisError('invalid-request', 'A request of HTTP/1.1 needs a Host header.')
      }
    })
  },
  { name: 'bare-answers', fastify: '5.x' },
)
