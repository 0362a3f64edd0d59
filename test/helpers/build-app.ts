import { Writable } from 'node:stream'
import { pino } from 'pino'
import { type App, buildApp } from '../../src/app.ts'
import { type AppServices, createAppServices } from '../../src/app-services.ts'
import { type Config, loadConfig } from '../../src/config.ts'
import { OptionsSchema } from '../../src/contract/options.ts'
import type { UiFiles } from '../../src/http/ui-files.ts'
import { loggerOptions } from '../../src/telemetry/logger.ts'

export interface TestAppOptions {
  /** Variables of the environment, over the defaults. */
  readonly environment?: Readonly<Record<string, string>>
  /** Runs after everything is registered and before the app is ready: add routes here. */
  readonly extend?: (app: App) => void | Promise<void>
  /** The inspector, as a test has built it. */
  readonly uiFiles?: UiFiles
}

export interface TestApp {
  readonly app: App
  readonly config: Config
  readonly services: AppServices
  /** Everything that was logged, as text. */
  readonly logText: () => string
  readonly logLines: () => Record<string, unknown>[]
  /** Listens on a free port and returns the base URL. */
  readonly listen: () => Promise<string>
}

/** The app as server.ts builds it, with its log in memory. Close it with `app.close()`. */
export async function buildTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const environment = {
    PRECIS_LOG_LEVEL: 'trace',
    // The test itself keeps the event loop busy.
    PRECIS_MAX_EVENT_LOOP_DELAY_MS: '0',
    // A thread that compiles the source takes seconds to start.
    PRECIS_WORKERS: '0',
    ...options.environment,
  }
  const { config } = loadConfig(environment, OptionsSchema)
  const services = createAppServices(config)
  const chunks: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk))
      done()
    },
  })
  const logger = pino(loggerOptions(config.server.logLevel), stream)
  const { uiFiles } = options
  const app = await buildApp({
    config,
    services,
    logger,
    ...(uiFiles !== undefined && { uiFiles }),
  })
  await options.extend?.(app)
  return {
    app,
    config,
    services,
    logText: () => chunks.join(''),
    logLines: () =>
      chunks
        .join('')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    listen: () => app.listen({ host: '127.0.0.1', port: 0 }),
  }
}
