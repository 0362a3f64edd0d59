/**
 * The service with one more route, whose work is done when the process is told SIGCONT, a signal that the
 * service has no listener for: for the test of its shutdown.
 */
import { once } from 'node:events'
import { pino } from 'pino'
import { buildApp } from '../../../src/app.ts'
import { createAppServices } from '../../../src/app-services.ts'
import { loadConfig } from '../../../src/config.ts'
import { OptionsSchema } from '../../../src/contract/options.ts'
import { endOnSignals } from '../../../src/graceful-shutdown.ts'
import { loggerOptions } from '../../../src/telemetry/logger.ts'

const { config } = loadConfig(process.env, OptionsSchema)
const logger = pino(
  loggerOptions(config.server.logLevel),
  pino.destination({ dest: 1, sync: true }),
)
const services = createAppServices(config)
const app = await buildApp({ config, services, logger })
app.post('/slow', async () => {
  const told = once(process, 'SIGCONT')
  logger.info('working')
  await told
  return { done: true }
})
endOnSignals(logger)({ app, services, config: config.server, logger })
const url = await app.listen({ host: '127.0.0.1', port: 0 })
logger.info({ url }, 'listening')
