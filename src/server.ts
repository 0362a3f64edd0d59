import { pino } from 'pino'
import { endOnSignals } from './graceful-shutdown.ts'
import { loggerOptions } from './telemetry/logger.ts'

// Written at once: a write still under way at the exit would end up behind the last line, or nowhere.
const logger = pino(loggerOptions('info'), pino.destination({ dest: 1, sync: true }))
const onServing = endOnSignals(logger)
// Everything else is loaded with signals heard already: that takes most of a second.
const { serve } = await import('./serve.ts')
await serve({ environment: process.env, logger, onServing })
