import fastifyPlugin from 'fastify-plugin'

/**
 * Takes the body of any media type as the bytes that came, for the routes of the scope that registers
 * it. What is longer than the body limit is refused before anything is sent on.
 */
export const proxiedBody = fastifyPlugin(
  async (app) => {
    // Fastify refuses media types that are not well-formed; what is sent on are the raw headers.
    app.addHook('onRequest', (request, _reply, done) => {
      request.headers['content-type'] = 'application/octet-stream'
      done()
    })
    app.removeAllContentTypeParsers()
    app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (request, body, done) => {
      request.bodyBytes = body.length
      done(null, body)
    })
  },
  { name: 'proxied-body', fastify: '5.x', dependencies: ['json-body'] },
)
