import { builtModule } from './built-service.ts'
import { type ServerProcess, startServer } from './server-process.ts'

/** The compiled service as it is started in production, on a free port. */
export function startService(decide: string): Promise<ServerProcess> {
  return startServer(builtModule('server.ts'), {
    PRECIS_HOST: '127.0.0.1',
    PRECIS_PORT: '0',
    PRECIS_DECIDE_WIRE: decide,
    // The other processes of this machine are no reason to refuse work.
    PRECIS_MAX_EVENT_LOOP_DELAY_MS: '0',
  })
}

/** The least that an exact compaction does: see servers/floor.ts. */
export function startFloor(): Promise<ServerProcess> {
  return startServer(new URL('../servers/floor.ts', import.meta.url).href)
}
