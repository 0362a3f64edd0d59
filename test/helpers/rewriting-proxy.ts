import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent, request } from 'undici'

export interface ProxiedAnswer {
  readonly contentType: string
  readonly text: string
}

export interface RewritingProxy {
  readonly origin: string
  readonly close: () => Promise<void>
}

/** Stands before a server and changes what its answers say, and nothing else. */
export async function startRewritingProxy(
  target: string,
  rewrite: (answer: ProxiedAnswer) => ProxiedAnswer,
): Promise<RewritingProxy> {
  const dispatcher = new Agent()
  const pass = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { authorization = '', 'content-type': type = '' } = incoming.headers
    const answer = await request(`${target}${incoming.url}`, {
      dispatcher,
      method: 'POST',
      headers: { authorization, 'content-type': type },
      body: await readAll(incoming),
    })
    const { contentType, text } = rewrite({
      contentType: String(answer.headers['content-type']),
      text: await answer.body.text(),
    })
    response.writeHead(answer.statusCode, { 'content-type': contentType }).end(text)
  }
  const server = createServer((incoming, response) => {
    pass(incoming, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      await dispatcher.destroy()
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
