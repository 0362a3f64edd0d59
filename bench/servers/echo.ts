/** The least that a JSON service does: Fastify as it comes, which parses the body and sends it back. */
import { bareFastify, listen } from './listen.ts'

const app = bareFastify()
app.post('/echo', async (request) => request.body)
await listen(app)
