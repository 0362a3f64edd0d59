import { type Logger, pino } from 'pino'
import { buildAdminApp } from './admin-app.ts'
import { buildApp } from './app.ts'
import { type AppServices, createAppServices } from './app-services.ts'
import { redactConfig } from './config/redact-config.ts'
import { ConfigError, type LoadedConfig, loadConfig } from './config.ts'
import { OptionsSchema } from './contract/options.ts'
import { shutDownGracefully } from './graceful-shutdown.ts'
import { loggerOptions } from './telemetry/logger.ts'
import { startTracing } from './telemetry/tracing/start-tracing.ts'

const { config, warnings } = loadConfigOrExit()
// Written at once: a write still under way at the exit would end up behind the last line, or nowhere.
const logger = pino(
  loggerOptions(config.server.logLevel),
  pino.destination({ dest: 1, sync: true }),
)
logger.info({ config: redactConfig(config) }, 'starting')
for (const warning of warnings) logger.warn({ warning }, 'unknown variable')

const services = createAppServicesOrExit(logger)
await readyOrExit(logger)
const admin = config.server.admin && (await buildAdminApp({ services, logger }))
const tracing = config.tracing && (await startTracing(config.tracing))
const app = await buildApp({ config, services, logger, ...(tracing !== undefined && { tracing }) })
shutDownGracefully({ app, services, config: config.server, logger, closeLast: closeAdmin })
await listenOrExit(logger)

/** Probes are answered, and the last numbers scraped and traced, until everything else is done. */
async function closeAdmin(): Promise<void> {
  await admin?.close()
  await tracing?.close()
}

function createAppServicesOrExit(log: Logger): AppServices {
  const onFault = (detail: string): void => log.error({ detail }, 'the file of keys')
  try {
    return createAppServices(config, onFault)
  } catch (error) {
    const detail = error instanceof Error && 'code' in error ? 'cannot be read' : String(error)
    log.fatal(
      { faults: [{ variable: 'PRECIS_API_KEYS_FILE', detail }] },
      'the configuration is not valid',
    )
    process.exit(1)
  }
}

function loadConfigOrExit(): LoadedConfig {
  try {
    return loadConfig(process.env, OptionsSchema)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    pino(loggerOptions('fatal')).fatal({ faults: error.faults }, 'the configuration is not valid')
    process.exit(1)
  }
}

/** What is installed and whole may still not run: another system, another C library, too little memory. */
async function readyOrExit(log: Logger): Promise<void> {
  try {
    await services.conversation.ready
  } catch (error) {
    // Said before any text was seen: it names a library or a limit.
    const reason = error instanceof Error ? error.message : 'unknown'
    const detail = `names a model that cannot run on this machine (${reason}); static can`
    const faults = [{ variable: 'PRECIS_DECIDE_EMBEDDED_MODEL', detail }]
    log.fatal({ faults }, 'the configuration is not valid')
    process.exit(1)
  }
}

async function listenOrExit(log: Logger): Promise<void> {
  const { level } = log
  try {
    // Fastify writes a line per network interface; this service promises one line, with its URL.
    log.level = 'silent'
    const { admin: apart } = config.server
    const adminUrl = apart && (await admin?.listen(apart))
    const url = await app.listen({ host: config.server.host, port: config.server.port })
    log.level = level
    log.info({ url, adminUrl }, 'listening')
    // So that the first large request does not wait for a thread to start.
    services.workers?.warm().catch((err) => log.error({ err }, 'a worker cannot be started'))
  } catch (error) {
    log.level = level
    log.fatal({ err: error, host: config.server.host, port: config.server.port }, 'cannot listen')
    process.exit(1)
  }
}
