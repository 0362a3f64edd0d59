import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import type { FastifyBaseLogger } from 'fastify'
import type { App } from './app.ts'
import type { AppServices } from './app-services.ts'
import type { ServerConfig } from './config.ts'

/** What closing itself may take once nobody is being served. */
const CLOSE_MS = 5_000

/** What probes and refusals that are still being answered may take; they are short. */
const LINGER_MS = 500

/**
 * Signals by which the system says that the process is broken. With a listener for one, the instruction
 * that failed is run again and again (Node.js, *Signal events*); without, the process ends.
 */
const FATAL_SIGNALS = ['SIGILL', 'SIGTRAP', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGSEGV'] as const

export interface ShutdownOptions {
  readonly app: App
  readonly services: AppServices
  readonly config: Pick<ServerConfig, 'shutdownDelayMs' | 'shutdownGraceMs'>
  readonly logger: FastifyBaseLogger
  /** What goes on until everything else has ended. */
  readonly closeLast?: () => Promise<void>
}

/** What the process is told to end by. */
interface Cause {
  readonly signal?: string
  readonly err?: unknown
}

/**
 * Listens for signals and crashes from now on: process 1 of a container gets no signal for which it has
 * no listener. Until there is a service, nothing is to be finished, and the process ends at once, with 0
 * on a signal and 1 on a crash. What this gives is called with the service once it serves.
 */
export function endOnSignals(logger: FastifyBaseLogger): (service: ShutdownOptions) => void {
  let service: ShutdownOptions | undefined
  // Listeners stay as they are: a signal that has come is lost if its listener is replaced meanwhile.
  closeWithGrace({ delay: false, logger, skip: [...FATAL_SIGNALS] }, async (cause: Cause) => {
    const isCrash = 'err' in cause
    if (isCrash) logger.fatal({ err: cause.err }, 'crashed')
    const { signal } = cause
    if (service === undefined) logger.info({ signal }, 'stopped while starting')
    const isWhole = service === undefined || (await shutDownInTime(service, { signal, isCrash }))
    // What was thrown may be undefined, and the exit must tell all the same.
    process.exit(isWhole && !isCrash ? 0 : 1)
  })
  return (serving) => {
    service = serving
  }
}

interface Told {
  readonly signal: string | undefined
  readonly isCrash: boolean
}

/** Whether everything was finished, and closed in its time. */
async function shutDownInTime(service: ShutdownOptions, told: Told): Promise<boolean> {
  const { config, logger } = service
  const bound = config.shutdownDelayMs + config.shutdownGraceMs + CLOSE_MS
  const ended = await Promise.race([shutDown(service, told), sleep(bound, 'too-late' as const)])
  if (ended === 'too-late') logger.error({ bound }, 'closing takes too long')
  return ended === 'whole'
}

/** Tells load balancers, then refuses new work, then waits for what is in progress, then closes. */
async function shutDown(
  { app, services, config, logger, closeLast }: ShutdownOptions,
  { signal, isCrash }: Told,
): Promise<'whole' | 'cut'> {
  logger.info({ signal, inFlight: services.inFlight.count() }, 'shutting down')
  services.setPhase('leaving')
  if (!isCrash) await sleep(config.shutdownDelayMs)
  services.setPhase('refusing')
  // The listener stays open meanwhile: probes are to see 503 rather than a refused connection.
  await Promise.race([services.inFlight.whenIdle(), sleep(config.shutdownGraceMs)])
  const abandoned = services.inFlight.count()
  if (abandoned > 0) {
    logger.warn({ abandoned }, 'the grace is over')
    app.server.closeAllConnections()
  }
  await closeServer(app)
  await closeLast?.()
  logger.info('stopped')
  return abandoned > 0 ? 'cut' : 'whole'
}

interface Closing {
  readonly server: Server
  readonly close: () => PromiseLike<unknown>
}

/**
 * Closes, with the connections on which nothing is asked. Node.js counts those that have not said a
 * word yet (which load balancers open ahead) among the busy ones, and would wait a minute for them.
 */
export async function closeServer(app: Closing): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), LINGER_MS)
  await app.close()
  clearTimeout(cut)
}
