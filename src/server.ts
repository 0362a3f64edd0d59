import { type Logger, pino } from 'pino'
import { buildApp } from './app.ts'
import { createAppServices } from './app-services.ts'
import { redactConfig } from './config/redact-config.ts'
import { ConfigError, type LoadedConfig, loadConfig } from './config.ts'
import { OptionsSchema } from './contract/options.ts'
import { shutDownGracefully } from './graceful-shutdown.ts'
import { loggerOptions } from './telemetry/logger.ts'

const { config, warnings } = loadConfigOrExit()
// Written at once: a write still under way at the exit would end up behind the last line, or nowhere.
const logger = pino(
  loggerOptions(config.server.logLevel),
  pino.destination({ dest: 1, sync: true }),
)
logger.info({ config: redactConfig(config) }, 'starting')
for (const warning of warnings) logger.warn({ warning }, 'unknown variable')

const services = createAppServices(config)
const app = await buildApp({ config, services, logger })
shutDownGracefully({ app, services, config: config.server, logger })
await listenOrExit(logger)

function loadConfigOrExit(): LoadedConfig {
  try {
    return loadConfig(process.env, OptionsSchema)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    pino(loggerOptions('fatal')).fatal({ faults: error.faults }, 'the configuration is not valid')
    process.exit(1)
  }
}

async function listenOrExit(log: Logger): Promise<void> {
  const { level } = log
  try {
    // Fastify writes a line per network interface; this service promises one line, with its URL.
    log.level = 'silent'
    const url = await app.listen({ host: config.server.host, port: config.server.port })
    log.level = level
    log.info({ url }, 'listening')
  } catch (error) {
    log.level = level
    log.fatal({ err: error, host: config.server.host, port: config.server.port }, 'cannot listen')
    process.exit(1)
  }
}
