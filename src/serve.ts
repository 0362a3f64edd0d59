import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import type { Logger } from 'pino'
import { buildAdminApp } from './admin-app.ts'
import { buildApp } from './app.ts'
import { type AppServices, createAppServices } from './app-services.ts'
import { COLLECTOR_HEADER_VARIABLES } from './config/collector-headers.ts'
import { hideSecrets } from './config/hide-secrets.ts'
import { redactConfig } from './config/redact-config.ts'
import { SECRET_VARIABLES } from './config/schema.ts'
import { type Config, ConfigError, type LoadedConfig, loadConfig } from './config.ts'
import { OptionsSchema } from './contract/options.ts'
import { closeServer, type ShutdownOptions } from './graceful-shutdown.ts'
import { startTracing } from './telemetry/tracing/start-tracing.ts'

export interface ServeOptions {
  /** The environment of the process. The keys in it are taken out. */
  readonly environment: NodeJS.ProcessEnv
  /** Its level becomes the configured one. */
  readonly logger: Logger
  /** Told as soon as there may be something to finish. */
  readonly onServing: (service: ShutdownOptions) => void
}

/** Longest that the last spans may take to be sent; a collector that hangs must not fail the exit. */
const LAST_SPANS_MS = 2_000

/** Makes the service and has it listen. Ends the process where that cannot be. */
export async function serve({ environment, logger, onServing }: ServeOptions): Promise<void> {
  const { config, warnings } = loadConfigOrExit(environment, logger)
  // A crash report of Node.js holds the environment, and so do the processes that this one starts.
  for (const name of [...SECRET_VARIABLES, ...COLLECTOR_HEADER_VARIABLES]) delete environment[name]
  logger.level = config.server.logLevel
  logger.info({ config: await hideSecrets(redactConfig(config)) }, 'starting')
  for (const warning of warnings) logger.warn({ warning }, 'unknown variable')
  // What comes is done in one go: a signal that has come meanwhile is heard before.
  await turn()

  const services = createAppServicesOrExit(config, logger)
  await readyOrExit(services, logger)
  const admin = config.server.admin && (await buildAdminApp({ services, logger }))
  const onTracingFault = (detail: string): void => logger.warn({ detail }, 'spans cannot be sent')
  const tracing = config.tracing && (await startTracing(config.tracing, onTracingFault))
  const app = await buildApp({
    config,
    services,
    logger,
    ...(tracing !== undefined && { tracing }),
  })
  const addresses = await listenOrExit({ app, admin, config: config.server, logger })
  onServing({
    app,
    services,
    config: config.server,
    logger,
    // Probes are answered, and the last numbers scraped and traced, until everything else is done.
    closeLast: async () => {
      if (admin !== undefined) await closeServer(admin)
      if (tracing !== undefined) await within(LAST_SPANS_MS, tracing.close())
    },
  })
  logger.info(addresses, 'listening')
  // So that the first large request does not wait for a thread to start.
  services.workers?.warm().catch((err) => {
    if (services.phase() === 'serving') logger.error({ err }, 'a worker cannot be started')
  })
}

function loadConfigOrExit(environment: NodeJS.ProcessEnv, logger: Logger): LoadedConfig {
  try {
    return loadConfig(environment, OptionsSchema)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    logger.fatal({ faults: error.faults }, 'the configuration is not valid')
    process.exit(1)
  }
}

function createAppServicesOrExit(config: Config, logger: Logger): AppServices {
  try {
    return createAppServices(config, {
      onFault: (detail) => logger.error({ detail }, 'the file of keys'),
      onChange: (keys) => logger.info({ keys }, 'the file of keys has changed'),
    })
  } catch (error) {
    const detail = error instanceof Error && 'code' in error ? 'cannot be read' : String(error)
    logger.fatal(
      { faults: [{ variable: 'PRECIS_API_KEYS_FILE', detail }] },
      'the configuration is not valid',
    )
    process.exit(1)
  }
}

/** What is installed and whole may still not run: another system, another C library, too little memory. */
async function readyOrExit(services: AppServices, logger: Logger): Promise<void> {
  try {
    await services.conversation.ready
  } catch (error) {
    // Said before any text was seen: it names a library or a limit.
    const reason = error instanceof Error ? error.message : 'unknown'
    const detail = `names a model that cannot run on this machine (${reason}); static can`
    const faults = [{ variable: 'PRECIS_DECIDE_EMBEDDED_MODEL', detail }]
    logger.fatal({ faults }, 'the configuration is not valid')
    process.exit(1)
  }
}

interface Listening {
  readonly app: Awaited<ReturnType<typeof buildApp>>
  readonly admin: Awaited<ReturnType<typeof buildAdminApp>> | undefined
  readonly config: Config['server']
  readonly logger: Logger
}

interface Addresses {
  readonly url: string
  readonly adminUrl: string | undefined
}

async function listenOrExit({ app, admin, config, logger }: Listening): Promise<Addresses> {
  const { level } = logger
  const { host, port } = config
  try {
    // Fastify writes a line per network interface; this service promises one line, with its URL.
    logger.level = 'silent'
    const url = await app.listen({ host, port })
    // Second, so that a probe's answer is that of a service which callers reach. Fastify writes into what
    // it is given, and the configuration is frozen.
    const adminUrl = config.admin && (await admin?.listen({ ...config.admin }))
    logger.level = level
    return { url, adminUrl }
  } catch (error) {
    logger.level = level
    logger.fatal({ err: error, host: await hideSecrets(host), port }, 'cannot listen')
    process.exit(1)
  }
}

/** Waits for the work, but no longer; its failure does not matter. */
async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  await Promise.race([work.catch(() => undefined), sleep(milliseconds)])
}
