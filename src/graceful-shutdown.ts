import { setTimeout as sleep } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import type { FastifyBaseLogger } from 'fastify'
import type { App } from './app.ts'
import type { AppServices } from './app-services.ts'
import type { ServerConfig } from './config.ts'

/** What closing itself may take once nobody is being served. */
const CLOSE_MS = 5_000

export interface ShutdownOptions {
  readonly app: App
  readonly services: AppServices
  readonly config: Pick<ServerConfig, 'shutdownDelayMs' | 'shutdownGraceMs'>
  readonly logger: FastifyBaseLogger
  /** What goes on until everything else has ended. */
  readonly closeLast?: () => Promise<void>
}

/**
 * On SIGTERM, SIGINT or a crash: tells load balancers, then refuses new work, then waits for what is
 * in progress, then exits. 0 if everything was finished, 1 if something had to be cut off.
 */
export function shutDownGracefully({
  app,
  services,
  config,
  logger,
  closeLast,
}: ShutdownOptions): void {
  const { shutdownDelayMs, shutdownGraceMs } = config
  const delay = shutdownDelayMs + shutdownGraceMs + CLOSE_MS
  closeWithGrace({ delay, logger }, async ({ signal, err }) => {
    if (err !== undefined) logger.fatal({ err }, 'crashed')
    logger.info({ signal, inFlight: services.inFlight.count() }, 'shutting down')
    services.setPhase('leaving')
    if (err === undefined) await sleep(shutdownDelayMs)
    services.setPhase('refusing')
    // The listener stays open meanwhile: probes are to see 503 rather than a refused connection.
    await Promise.race([services.inFlight.whenIdle(), sleep(shutdownGraceMs)])
    const abandoned = services.inFlight.count()
    if (abandoned > 0) {
      logger.warn({ abandoned }, 'the grace is over')
      app.server.closeAllConnections()
    }
    await app.close()
    await closeLast?.()
    logger.info('stopped')
    if (abandoned > 0) process.exit(1)
  })
}
