import fastifyPlugin from 'fastify-plugin'
import { isWork } from '../route-config.ts'
import { createTurnQueue } from '../turn-queue.ts'

/**
 * Work of this thread waits for its turn once its body is here. Those who wait have their places, so that
 * under overload the others are refused at once instead of waiting unseen in the sockets.
 */
export const turns = fastifyPlugin(
  async (app) => {
    const queue = createTurnQueue()
    app.addHook('preValidation', async (request) => {
      if (!isWork(request) || request.isForWorker) return
      await queue.take()
      // Nobody waits for the answer of a caller who has left meanwhile.
      request.signal.throwIfAborted()
    })
  },
  { name: 'turns', fastify: '5.x', dependencies: ['deadline', 'json-body', 'load-shedding'] },
)
